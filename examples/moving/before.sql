-- Remembers what there was before a move: each row's key, its time, known from
-- the number in its name, its place in the order, and what refers to it.
SET client_min_messages = warning;
DROP TABLE IF EXISTS parents, children, files, book;
CREATE TABLE parents AS
SELECT id::text AS old, made_at, row_number() OVER (ORDER BY made_at, id) AS place
FROM :parent, CAST(substring(name, '\d+') AS int) AS n, CAST(:made_at AS timestamptz) AS made_at;
CREATE TABLE children AS SELECT id, :ref::text AS old FROM :child;
CREATE TABLE files AS SELECT oid, relfilenode FROM pg_class WHERE oid IN (:'parent'::regclass, :'child'::regclass);
CREATE TABLE book (key text, moved bigint);
ANALYZE;
