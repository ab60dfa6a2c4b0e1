-- The reader: columns by privilege, rows by policy, ranges of time.
\set ON_ERROR_STOP on
\i expressions.sql
SELECT checks.shows(format('%s, reader: it owns nothing', :'type'), count(*) = 0)
FROM pg_class WHERE relowner = current_user::regrole;
SELECT checks.shows(format('%s, reader: a range of time, without the rows that a policy hides', :'type'),
	count(*) BETWEEN 50 AND 55 AND bool_and(item NOT LIKE '%5' AND :kind(id) = 'o'))
FROM orders WHERE id >= :hour_ago;
SELECT checks.shows(format('%s, reader: the primary key finds the range of time', :'type'), count(*) = 1)
FROM checks.plan_of($$SELECT item FROM orders WHERE id >= $$ || :'hour_ago') AS line WHERE line ~ '^ +Index Cond: ';
SELECT checks.shows(format('%s, reader: ids as text', :'type'), count(*) = 1) FROM orders
WHERE id = :parse((SELECT :text(id) FROM orders ORDER BY id DESC LIMIT 1));
SELECT checks.shows(format('%s, reader: no privilege for: %s', :'type', statement), checks.state_of(statement) = '42501')
FROM unnest(ARRAY['SELECT customer_id FROM orders', 'SELECT id FROM customers',
	$$INSERT INTO orders (item) VALUES ('new')$$, 'DELETE FROM orders']) AS statement;
