-- Functions in other languages.  A function's signature keeps no kind; a domain does.
CREATE EXTENSION plpython3u;
CREATE EXTENSION plperl;
CREATE EXTENSION plr;
CREATE EXTENSION plpgsql_check;

-- To each of them an id is text, and an array of ids a list of texts.
CREATE FUNCTION python_last(ids gid[]) RETURNS gid LANGUAGE plpython3u AS 'return max(ids)';
CREATE FUNCTION perl_last(ids gid[]) RETURNS gid LANGUAGE plperl AS 'return (sort @{$_[0]})[-1]';
CREATE FUNCTION r_last(ids gid[]) RETURNS gid LANGUAGE plr AS 'tail(sort(ids, method = "radix"), 1)';
SELECT shows('PL/Python: ids are text, in their order', python_last(array_agg(id)) = max(id)) FROM orders;
SELECT shows('PL/Perl: ids are text, in their order', perl_last(array_agg(id)) = max(id)) FROM orders;
SELECT shows('PL/R: ids are text, in their order', r_last(array_agg(id)) = max(id)) FROM orders;

CREATE FUNCTION python_order(id gid) RETURNS order_id LANGUAGE plpython3u AS 'return id';
CREATE FUNCTION perl_order(id gid) RETURNS order_id LANGUAGE plperl AS 'return $_[0]';
SELECT shows('PL/Python: what is returned is checked',
             bool_and(python_order(id) = id) AND is_refused('SELECT python_order(id) FROM customers'))
FROM orders;
SELECT shows('PL/Perl: what is returned is checked',
             bool_and(perl_order(id) = id) AND is_refused('SELECT perl_order(id) FROM customers'))
FROM orders;

CREATE DOMAIN number AS int;
CREATE FUNCTION r_number() RETURNS number LANGUAGE plr AS 'return(5)';
CREATE FUNCTION r_order(id gid) RETURNS order_id LANGUAGE plr AS 'return(id)';
SELECT shows('PL/R: domains cannot be returned, of whatever type',
             is_refused('SELECT r_number()', 'type with OID 0 does not exist')
             AND is_refused('SELECT r_order(id) FROM orders', 'type with OID 0 does not exist'));

-- A column with a kind does as well.
CREATE TYPE numbered AS (id gid(o), n int);
CREATE FUNCTION r_orders(ids gid[]) RETURNS SETOF numbered LANGUAGE plr
AS 'data.frame(id = ids, n = seq_along(ids))';
SELECT shows('PL/R: what is returned is checked',
             (SELECT array_agg(id) FROM orders) = (SELECT array_agg(id ORDER BY n) FROM r_orders((SELECT array_agg(id) FROM orders)))
             AND is_refused('SELECT r_orders((SELECT array_agg(id) FROM customers))'));

CREATE FUNCTION python_since(days int) RETURNS bigint LANGUAGE plpython3u AS $$
from datetime import datetime, timedelta, timezone
plan = plpy.prepare("SELECT count(*) AS n FROM orders WHERE id >= $1", ["timestamptz"])
return plan.execute([datetime.now(timezone.utc) - timedelta(days=days)])[0]["n"]
$$;
SELECT shows('PL/Python: a datetime compared with ids', python_since(1) > 9000 AND python_since(-1) = 0);

CREATE FUNCTION mixes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    an_order gid(o) := gid_new('o');
    customer gid(c);
BEGIN
    customer := an_order;
    RAISE NOTICE '%', customer;
END $$;
CREATE FUNCTION misnames() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    an_order gid(o) := gid_new('o');
BEGIN
    DELETE FROM orders WHERE orders.id = an_order AND customer_id IS NULL;
END $$;
SELECT shows('plpgsql_check: a column that is missing is found',
             string_agg(line, ' ') LIKE '%column "customer_id" does not exist%')
FROM plpgsql_check_function('misnames') line;
SELECT shows('plpgsql_check: the wrong kind is not seen', count(*) = 0) FROM plpgsql_check_function('mixes') line;
SELECT shows('plpgsql_check: but it is rejected when the function runs', is_refused('SELECT mixes()'));
