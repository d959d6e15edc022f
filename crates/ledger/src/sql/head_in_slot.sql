SELECT head FROM facts WHERE tenant = $1 AND slot = $2
