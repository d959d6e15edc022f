CREATE SCHEMA IF NOT EXISTS truthkeeper_index
