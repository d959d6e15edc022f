SELECT token || '/' || fact FROM access WHERE tenant = $1
