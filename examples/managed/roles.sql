-- Two roles that own nothing.  The reader has privileges on some columns, and
-- a policy hides orders from it.  The writer can insert.
\set ON_ERROR_STOP on
\getenv password PGPASSWORD
CREATE ROLE managed_reader LOGIN PASSWORD :'password';
CREATE ROLE managed_writer LOGIN PASSWORD :'password';
GRANT SELECT (id, item) ON orders TO managed_reader;
GRANT SELECT ON customers, orders TO managed_writer;
GRANT INSERT (name) ON customers TO managed_writer;
GRANT INSERT ON orders TO managed_writer;

ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON orders FOR SELECT TO managed_reader USING (item NOT LIKE '%5');
CREATE POLICY all_readable ON orders FOR SELECT TO managed_writer USING (true);
CREATE POLICY writable ON orders FOR INSERT TO managed_writer WITH CHECK (true);

GRANT USAGE ON SCHEMA checks TO managed_reader, managed_writer;
