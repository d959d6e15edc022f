SELECT id, memory_id, new_memory, event, created_at, updated_at, is_deleted,
       LEAD(1, 1, 0) OVER (PARTITION BY memory_id ORDER BY rowid) AS is_earlier
FROM history
ORDER BY rowid
