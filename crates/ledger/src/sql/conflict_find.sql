SELECT f.head FROM conflicts c JOIN facts f ON f.tenant = c.tenant AND f.fact = c.fact
WHERE c.tenant = $1 AND c.conflict = $2
