-- The extension as a whole: its schema, and that it leaves nothing.

-- It is in pg_catalog, and stays there.
SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'gid';
SELECT state, message FROM error_of('ALTER EXTENSION gid SET SCHEMA public');

-- It is not dropped from under a table, and leaves nothing behind.
CREATE TABLE stays (id gid(o) DEFAULT gid_new('o') PRIMARY KEY);
SELECT state, message FROM error_of('DROP EXTENSION gid');
DROP TABLE stays;
DROP EXTENSION gid;
SELECT count(*) FROM pg_proc WHERE proname LIKE '%gid\_%' AND oid >= 16384;
SELECT state, message FROM error_of('CREATE EXTENSION gid SCHEMA public');

-- A database at each version that can be updated to this one works with its library.
-- PostgreSQL lists no versions while Debian builds a package.
SET client_min_messages = warning;
DO $$
DECLARE
	version text;
BEGIN
	FOR version IN
		SELECT v.version
		FROM pg_available_extension_versions v JOIN pg_available_extensions USING (name)
		WHERE name = 'gid' AND (v.version = default_version OR EXISTS (
			SELECT FROM pg_extension_update_paths('gid') WHERE source = v.version AND target = default_version AND path IS NOT NULL))
	LOOP
		EXECUTE format('CREATE EXTENSION gid VERSION %L', version);
		CREATE TABLE item (id gid(o) PRIMARY KEY DEFAULT gid_new('o'));
		INSERT INTO item SELECT FROM generate_series(1, 10);
		ALTER EXTENSION gid UPDATE;
		INSERT INTO item DEFAULT VALUES;
		ASSERT (SELECT count(DISTINCT id) FROM item WHERE id >= now() - interval '1 hour') = 11, version;
		ASSERT (SELECT extversion = default_version FROM pg_extension JOIN pg_available_extensions ON name = extname WHERE extname = 'gid');
		DROP TABLE item;
		DROP EXTENSION gid;
	END LOOP;
END $$;
RESET client_min_messages;

-- It must not hide a type of a user.
CREATE SCHEMA "a b";
SELECT kind, state, message
FROM (VALUES ('TABLE', '()'), ('VIEW', 'AS SELECT'), ('TYPE', 'AS (n int)'), ('TYPE', 'AS ENUM ()'),
			 ('TYPE', 'AS RANGE (SUBTYPE = date)'), ('DOMAIN', 'AS uuid'), ('TYPE', '')) v (kind, definition),
	 error_of(format('CREATE %s "a b".gid %s; CREATE EXTENSION gid', kind, definition));
\x
SELECT * FROM error_of('CREATE TYPE "a b"._gid; CREATE EXTENSION gid');
\x
DROP SCHEMA "a b";

-- A temporary type is found first, as before.
CREATE TEMP TABLE gid (n int);
SET quote_all_identifiers = on;
CREATE EXTENSION gid SCHEMA pg_catalog;
RESET quote_all_identifiers;
SELECT gid_kind(gid_new('o')), (null::gid).n IS NULL AS is_row;
DROP TABLE pg_temp.gid;
