SELECT stand, COUNT(*) FROM (
    SELECT CASE
        WHEN head LIKE '%"truth":"settled"%' THEN 'settled'
        WHEN head LIKE '%"truth":"contested"%' THEN 'contested'
        ELSE 'ended'
    END AS stand
    FROM facts WHERE tenant = $1
) standing
GROUP BY stand
