-- gid_uncovered(): why a program that polls a table below gid_settled() can miss rows.

-- Executes the statement that fixes the first reason, until no reason has one.
CREATE FUNCTION fixes(relation regclass, id name DEFAULT 'id') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	fix text;
BEGIN
	WHILE (SELECT count(u.fix) FROM gid_uncovered(relation, id) u) > 0 LOOP
		SELECT u.fix INTO fix FROM gid_uncovered(relation, id) u WHERE u.fix IS NOT NULL LIMIT 1;
		EXECUTE fix;
		RETURN NEXT fix;
	END LOOP;
END $$;

-- Covered: the default of the column or of its domain is gid_new.
CREATE SCHEMA shop;
CREATE TABLE shop.good (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), n int);
CREATE DOMAIN shop.minted AS gid(segment) DEFAULT gid_new('segment');
CREATE DOMAIN shop.wrapped AS shop.minted;
CREATE TABLE shop.of_domain (a shop.minted, b shop.wrapped, c shop.wrapped DEFAULT gid_new('200'));
SELECT * FROM gid_uncovered('shop.good');
SELECT * FROM gid_uncovered('shop.of_domain', 'a');
SELECT * FROM gid_uncovered(relation => 'shop.of_domain', id => 'b');
SELECT * FROM gid_uncovered('shop.of_domain', 'c');

-- Other defaults, and none.
CREATE DOMAIN shop.drawn AS gid(200) DEFAULT gid_random('200');
CREATE FUNCTION shop.gid_new(text) RETURNS gid LANGUAGE sql RETURN gid_random($1);
CREATE TABLE shop.bad (
	"no" gid(e), random gid(log) DEFAULT gid_random('log'), "A 'name'" gid(e) DEFAULT '9gLrZTxkGa-3vGNsVNFb6Hjy'::gid, drawn shop.drawn,
	either gid(e) DEFAULT CASE WHEN now() > '2020-01-01' THEN gid_new('e') ELSE gid_random('e') END,
	foreign_name gid(e) DEFAULT shop.gid_new('e'), "null" shop.minted DEFAULT NULL,
	generated gid(e) GENERATED ALWAYS AS (gid_make('e', '2026-01-01 00:00+00', n)) STORED, n int,
	no_kind gid DEFAULT gid_new('e'), wrong int);
SELECT attname, u.* FROM pg_attribute, gid_uncovered(attrelid, attname) u WHERE attrelid = 'shop.bad'::regclass ORDER BY attnum;
SELECT attname, fixes(attrelid, attname) FROM pg_attribute WHERE attrelid = 'shop.bad'::regclass AND attnum > 0 ORDER BY attnum;
SELECT attname, u.* FROM pg_attribute, gid_uncovered(attrelid, attname) u WHERE attrelid = 'shop.bad'::regclass AND attnum > 0 ORDER BY attnum;

-- Settings of the session change nothing.
SET search_path = shop, pg_catalog, public;
SET quote_all_identifiers = on;
SELECT * FROM gid_uncovered('good');
SELECT object, reason FROM gid_uncovered('bad', 'no_kind');
ALTER TABLE bad ALTER random SET DEFAULT gid_new('log');
SELECT * FROM gid_uncovered('bad', 'random');
RESET quote_all_identifiers;
RESET search_path;
SELECT * FROM gid_uncovered('shop.bad', 'random');

-- A partition: rows arrive through all tables above it.  Siblings do not matter.
CREATE TABLE top (id gid(p) DEFAULT gid_random('p')) PARTITION BY RANGE (id);
CREATE TABLE middle (id gid(p)) PARTITION BY RANGE (id);
CREATE TABLE leaf (id gid(p) DEFAULT gid_new('p'));
CREATE TABLE sibling (id gid(p) DEFAULT gid_random('p'));
ALTER TABLE middle ATTACH PARTITION leaf FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('p', '2100-01-01'));
ALTER TABLE top ATTACH PARTITION middle FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('p', '2200-01-01'));
ALTER TABLE top ATTACH PARTITION sibling FOR VALUES FROM (gid_lower_bound('p', '2200-01-01')) TO (MAXVALUE);
SELECT * FROM gid_uncovered('leaf');
SELECT * FROM gid_uncovered('middle');
SELECT * FROM gid_uncovered('top');
-- The default of a table does not change that of the partition through which rows arrive, or of the table above.
ALTER TABLE ONLY top ALTER id SET DEFAULT gid_new('p');
ALTER TABLE ONLY middle ALTER id SET DEFAULT gid_new('p');
SELECT * FROM gid_uncovered('leaf');
SELECT * FROM gid_uncovered('top');
SELECT fixes('top');
SELECT * FROM gid_uncovered('top');
-- A partition without a default of its own has rows only through the tables above, or with ids that statements supply.
ALTER TABLE leaf ALTER id DROP DEFAULT;
SELECT * FROM gid_uncovered('top');
SELECT * FROM gid_uncovered('leaf');

-- A table that inherits: only what is below is read.
CREATE TABLE parent (id gid(i) DEFAULT gid_random('i'));
CREATE TABLE child () INHERITS (parent);
CREATE TABLE grandchild () INHERITS (child);
ALTER TABLE ONLY child ALTER id SET DEFAULT gid_new('i');
SELECT * FROM gid_uncovered('parent');
SELECT * FROM gid_uncovered('child');
SELECT fixes('parent');
SELECT * FROM gid_uncovered('parent');

-- What is not a table of this server.
CREATE VIEW seen AS SELECT id FROM shop.good;
ALTER VIEW seen ALTER id SET DEFAULT gid_new('e');
CREATE MATERIALIZED VIEW kept AS SELECT id FROM shop.good;
CREATE FOREIGN DATA WRAPPER regress_wrapper;
CREATE SERVER regress_server FOREIGN DATA WRAPPER regress_wrapper;
CREATE FOREIGN TABLE far (id gid(f) DEFAULT gid_new('f')) SERVER regress_server;
CREATE TABLE near (id gid(f) DEFAULT gid_new('f')) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE near_1 PARTITION OF near FOR VALUES FROM (MINVALUE) TO (MAXVALUE) SERVER regress_server;
ALTER TABLE near_1 ALTER id SET DEFAULT gid_random('f');
SELECT r, u.* FROM unnest('{seen,kept,shop.good_pkey,far,near}'::regclass[]) r, gid_uncovered(r) u;
SELECT fixes('near');
SELECT * FROM gid_uncovered('near');

-- A subscription that writes to the table, or to one above or below it.
SET client_min_messages = error;
CREATE SUBSCRIPTION "from there" CONNECTION '' PUBLICATION p WITH (connect = false, slot_name = NONE);
RESET client_min_messages;
SET allow_system_table_mods = on;
INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate)
SELECT s.oid, r, 'r' FROM pg_subscription s, unnest('{middle,grandchild}'::regclass[]) r WHERE subname = 'from there';
RESET allow_system_table_mods;
SELECT r, u.* FROM unnest('{top,middle,leaf,sibling,parent,grandchild,shop.good}'::regclass[]) r, gid_uncovered(r) u ORDER BY r;

-- A role that owns nothing.
CREATE ROLE regress_gid_poller;
SET ROLE regress_gid_poller;
SELECT * FROM gid_uncovered('top');
RESET ROLE;
DROP SUBSCRIPTION "from there";

-- What does not exist is not covered.
SELECT * FROM error_of($$SELECT * FROM gid_uncovered('nothing')$$);
SELECT * FROM error_of($$SELECT * FROM gid_uncovered('shop.good', 'nothing')$$);
SELECT * FROM error_of($$SELECT * FROM gid_uncovered('shop.good', NULL)$$);
SELECT * FROM gid_uncovered(1::regclass);
SELECT * FROM gid_uncovered(NULL);
ALTER TABLE shop.bad DROP COLUMN n CASCADE;
SELECT state, message FROM error_of($$SELECT * FROM gid_uncovered('shop.bad', 'n')$$);
DROP ROLE regress_gid_poller;
DROP FUNCTION fixes;
SET client_min_messages = warning;
DROP SCHEMA shop CASCADE;
DROP FOREIGN DATA WRAPPER regress_wrapper CASCADE;
DROP TABLE near, top, parent CASCADE;
