-- What PostgreSQL believes without a check, as it does for varchar(n), and how
-- to have it checked all the same.
SET timezone = 'UTC';
CREATE TABLE orders (id gid(o));
CREATE TABLE source (id gid(o));
INSERT INTO source VALUES (gid_new('o'));

-- A PL/pgSQL record variable: the plan of the INSERT is kept with the modifier
-- that the first record had.
CREATE FUNCTION copy_ids(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO orders VALUES (r.id);
	END LOOP;
END $$;
SELECT copy_ids('SELECT id FROM source');
SELECT copy_ids($$SELECT gid_new('log') AS id$$);
SELECT gid_kind(id), count(*) FROM orders GROUP BY 1 ORDER BY 1;
-- varchar(n) does the same.
CREATE TABLE words (word varchar(3));
CREATE FUNCTION copy_words(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO words VALUES (r.word);
	END LOOP;
END $$;
SELECT copy_words($$SELECT varchar(3) 'abc' AS word$$);
SELECT copy_words($$SELECT varchar 'abcdef' AS word$$);
TABLE words;
DROP TABLE words;
DROP FUNCTION copy_words;

-- To prevent this: a domain with a CHECK, or the record's field without its
-- modifier.
CREATE DOMAIN order_id AS gid(o) CHECK (gid_kind(VALUE) = 'o');
TRUNCATE orders;
CREATE TABLE defended (id order_id);
CREATE FUNCTION copy_to_domain(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO defended VALUES (r.id);
	END LOOP;
END $$;
CREATE OR REPLACE FUNCTION copy_ids(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR r IN EXECUTE query LOOP
		INSERT INTO orders VALUES (r.id::gid);
	END LOOP;
END $$;
SELECT copy_to_domain('SELECT id FROM source'), copy_ids('SELECT id FROM source');
SELECT function, state, message
FROM unnest('{copy_to_domain,copy_ids}'::text[]) function,
	 error_of(format($$SELECT %s('SELECT gid_new(''log'') AS id')$$, function));
SELECT gid_kind(id), count(*) FROM defended GROUP BY 1;
SELECT gid_kind(id), count(*) FROM orders GROUP BY 1;
-- The domain does not prevent the use of an index.
CREATE INDEX ON defended (id);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM defended WHERE id >= timestamptz '2026-01-01';
RESET enable_bitmapscan;
RESET enable_seqscan;

-- A column definition list, and what PostgreSQL hands its modifier on to.  A
-- comparison with a time follows the declaration: the id below is a log of the
-- year 2030, and every log is smaller than every segment.
CREATE FUNCTION promise(anyelement) RETURNS record LANGUAGE sql AS $$ SELECT row($1) $$;
CREATE TABLE log (id gid, ids gid[]);
INSERT INTO log SELECT id, ARRAY[id] FROM gid_random('log', '2030-01-01') id;
SELECT p.id > timestamptz '2026-01-01' AS declared, coalesce(p.id, p.id) > timestamptz '2026-01-01' AS coalesce,
	   (SELECT p.id > timestamptz '2026-01-01' OFFSET 0) AS subquery, p.id::gid > timestamptz '2026-01-01' AS label,
	   a.ids[1] > timestamptz '2026-01-01' AS element, undeclared.id > timestamptz '2026-01-01' AS undeclared
FROM log AS l, promise(l.id) AS p (id gid(segment)), promise(l.ids) AS a (ids gid(segment)[]), promise(l.id) AS undeclared (id gid);
-- It gets into a column as well; not without the modifier.
TRUNCATE orders;
INSERT INTO orders SELECT p.id FROM log, promise(log.id) AS p (id gid(o));
SELECT gid_kind(id) FROM orders;
SELECT statement, state, message
FROM (VALUES ('INSERT INTO orders SELECT p.id FROM log, promise(log.id) AS p (id gid)'),
			 ('INSERT INTO defended SELECT p.id FROM log, promise(log.id) AS p (id gid(o))')) v (statement), error_of(statement);

-- The defaults of XMLTABLE are not checked either; its text is.
SELECT gid_kind(x.id), x.id > timestamptz '2026-01-01' AS segment
FROM log, XMLTABLE('/r' PASSING '<r/>' COLUMNS id gid(segment) PATH '@id' DEFAULT log.id) x;
SELECT state, message FROM error_of($$SELECT x.id FROM log, XMLTABLE('/r' PASSING xmlparse(content '<r id="' || log.id || '"/>')
	COLUMNS id gid(segment) PATH '@id') x$$);

DROP TABLE orders, source, defended, log;
DROP FUNCTION copy_ids, copy_to_domain, promise;
DROP DOMAIN order_id;
