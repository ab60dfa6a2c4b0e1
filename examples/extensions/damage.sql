CREATE EXTENSION amcheck;

-- A row that PostgreSQL was kept from writing to its index.
CREATE TABLE damaged (id gid(o) PRIMARY KEY DEFAULT gid_new('o'));
INSERT INTO damaged DEFAULT VALUES;
UPDATE pg_index SET indisready = false WHERE indexrelid = 'damaged_pkey'::regclass;
INSERT INTO damaged DEFAULT VALUES;
UPDATE pg_index SET indisready = true WHERE indexrelid = 'damaged_pkey'::regclass;
