SELECT request, digest, answer, recorded_at FROM requests WHERE tenant = $1
