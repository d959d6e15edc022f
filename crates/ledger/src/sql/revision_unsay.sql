UPDATE revisions SET statement = NULL WHERE tenant = $1 AND fact = $2 AND revision = $3
