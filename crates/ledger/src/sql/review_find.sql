SELECT f.head FROM reviews r JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
WHERE r.tenant = $1 AND r.review = $2
