-- The reader has privileges on two columns, and a policy hides rows from it.
\set ON_ERROR_STOP on
SELECT checks.shows('reader: a range of time, without the rows that a policy hides',
	count(*) BETWEEN 50 AND 55 AND bool_and(item NOT LIKE '%5' AND gid.gid_kind(id) = 'o'))
FROM orders WHERE id >= gid.gid_lower_bound('o', now() - interval '1 hour');
SELECT checks.shows('reader: the primary key finds the range of time', count(*) = 1)
FROM checks.plan_of($$SELECT item FROM orders WHERE id >= gid.gid_lower_bound('o', now() - interval '1 hour')$$) AS line
WHERE line ~ '^ +Index Cond: ';
SELECT checks.shows('reader: ids as text', count(*) = 1) FROM orders
WHERE id = gid.gid_parse((SELECT gid.gid_text(id) FROM orders ORDER BY id DESC LIMIT 1));
