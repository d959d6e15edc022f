UPDATE receipts SET query = NULL WHERE tenant = $1 AND receipt = $2
