CREATE FUNCTION pg_temp.shows(what text, holds boolean) RETURNS text LANGUAGE sql
RETURN CASE WHEN holds THEN 'ok - ' ELSE 'not ok - ' END || what;

-- A check in each database sees to it that the hash is the one that PL/Proxy goes by.
CREATE TEMP TABLE added AS SELECT add_order(gid_new('o'), 'item ' || n) AS id, n FROM generate_series(1, 1000) n;
SELECT pg_temp.shows('1000 orders go where their ids belong', count(DISTINCT id) = 1000) FROM added;
SELECT pg_temp.shows('ids of one transaction spread evenly: ' || count(*), count(*) BETWEEN 400 AND 600)
FROM added WHERE gid_hash(id) & 1 = 0;

SELECT pg_temp.shows('each is found in one database by its id', bool_and(get_order(id) = 'item ' || n)) FROM added;
SELECT pg_temp.shows('one that is nowhere is not found', get_order(gid_new('o')) IS NULL);

SELECT pg_temp.shows('a range of time, from both, and in order by their ids',
                     array_agg(item ORDER BY id) = (SELECT array_agg('item ' || n ORDER BY n) FROM added))
FROM orders_between(now() - interval '1 hour', now() + interval '1 minute');
SELECT pg_temp.shows('an hour ago there was none', count(*) = 0) FROM orders_between('epoch', now() - interval '1 hour');

\set ON_ERROR_STOP off
\set VERBOSITY sqlstate
SELECT get_order(gid_new('c')) AS wrong \gset
SELECT pg_temp.shows('the id of another kind is rejected', :'LAST_ERROR_SQLSTATE' = '22023');
