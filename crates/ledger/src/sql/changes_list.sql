SELECT owner, changes FROM index_changes WHERE tenant = $1
