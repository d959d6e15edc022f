UPDATE clock SET changes = changes + 1 RETURNING changes
