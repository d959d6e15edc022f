SELECT DISTINCT scope FROM facts WHERE tenant = $1
