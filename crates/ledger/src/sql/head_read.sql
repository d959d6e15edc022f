SELECT head FROM facts WHERE tenant = $1 AND fact = $2
