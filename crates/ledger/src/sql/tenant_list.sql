SELECT tenant FROM tenants
