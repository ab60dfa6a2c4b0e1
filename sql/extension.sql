-- The extension as a whole: its schema, and that it leaves nothing.

-- It moves to another schema, and tables that use it still work.
CREATE TABLE stays (id gid(o) DEFAULT gid_new('o') PRIMARY KEY);
CREATE SCHEMA elsewhere;
ALTER EXTENSION gid SET SCHEMA elsewhere;
INSERT INTO stays DEFAULT VALUES;
SELECT elsewhere.gid_kind(id) FROM stays WHERE id OPERATOR(elsewhere.>) elsewhere.gid_lower_bound('o', now() - interval '1 day');
EXPLAIN (COSTS OFF, VERBOSE) INSERT INTO stays DEFAULT VALUES;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT FROM stays WHERE id OPERATOR(elsewhere.>) now();
RESET enable_seqscan;
ALTER EXTENSION gid SET SCHEMA public;

-- It is not dropped from under a table, and leaves nothing behind.
SELECT state, message FROM error_of('DROP EXTENSION gid');
DROP TABLE stays;
DROP EXTENSION gid;
SELECT count(*) FROM pg_proc WHERE proname LIKE 'gid%';
CREATE EXTENSION gid SCHEMA elsewhere;
SELECT elsewhere.gid_kind(elsewhere.gid_new('o'));
DROP EXTENSION gid;

-- Back to the first schema.
DROP SCHEMA elsewhere;
CREATE EXTENSION gid;
