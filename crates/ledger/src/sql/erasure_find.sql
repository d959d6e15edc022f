SELECT erased_by FROM erasures WHERE tenant = $1 AND position = $2
