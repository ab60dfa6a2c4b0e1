-- gid from psql: the default, RETURNING, variables, arrays, time ranges, and
-- \copy as text and as binary.  Everything is text here, so nothing has to be
-- set up.
CREATE EXTENSION gid;
CREATE TABLE orders (
	id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
	item text NOT NULL
);
CREATE TABLE copies (LIKE orders);

CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what
$$;

-- \gset makes a variable of what is returned; :'id' quotes it again.
INSERT INTO orders (item) VALUES ('tea') RETURNING id \gset
INSERT INTO orders (item) VALUES ('milk') RETURNING id AS milk \gset
SELECT pg_temp.shows('an id by default, and returned', :'id' ~ '^[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}$');
SELECT pg_temp.shows('ids increase', :'id'::gid < :'milk');
SELECT pg_temp.shows('an id as a variable', (SELECT item FROM orders WHERE id = :'milk') = 'milk');

-- With a parameter; its type is known from the column.
PREPARE item_of AS SELECT item FROM orders WHERE id = $1;
EXECUTE item_of(:'id') \gset
SELECT pg_temp.shows('an id as a parameter', :'item' = 'tea');
SELECT pg_temp.shows('an array of ids', count(*) = 2)
FROM orders WHERE id = ANY (ARRAY[:'id', :'milk']::gid[]);

-- A time needs its type, since a bare literal compared with an id is read as an id.
SELECT pg_temp.shows('a range of time', count(*) = 2)
FROM orders WHERE id >= timestamptz 'yesterday' AND id < timestamptz 'tomorrow';

-- \copy, as text and as binary.
\copy orders TO 'orders.txt'
\copy copies FROM 'orders.txt'
\copy orders TO 'orders.bin' (FORMAT binary)
\copy copies FROM 'orders.bin' (FORMAT binary)
SELECT pg_temp.shows('COPY in and out, text and binary', count(*) = 4 AND count(DISTINCT id) = 2) FROM copies;

-- What is wrong is said, with a hint.
\set ON_ERROR_STOP off
\set QUIET on
\o /dev/null
INSERT INTO orders (id, item) VALUES (gid_new('log'), 'a log is no order');
\o
\set refused :LAST_ERROR_MESSAGE
\set state :LAST_ERROR_SQLSTATE
SELECT pg_temp.shows('a wrong kind is rejected: ' || :'refused', :'state' = '22023');
