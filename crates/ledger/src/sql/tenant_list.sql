SELECT tenant FROM tenants ORDER BY tenant
