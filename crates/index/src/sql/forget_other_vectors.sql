DELETE FROM vectors WHERE model <> $1
