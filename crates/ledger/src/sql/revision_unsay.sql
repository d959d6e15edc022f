UPDATE revisions SET statement = NULL, says = NULL WHERE tenant = $1 AND fact = $2 AND revision = $3
