SELECT request, digest, answer, recorded_at FROM requests WHERE tenant = $1 ORDER BY recorded_at, request
