SELECT shows('pg_repack: the table has another file', file <> pg_relation_filenode('orders')) FROM old;
SELECT shows('pg_repack: all rows are there, with what was written meanwhile',
             array_agg(orders::text ORDER BY orders::text) = (SELECT array_agg(line ORDER BY line) FROM written)
             AND count(*) = 10000 AND count(*) FILTER (WHERE item LIKE '%written') >= 20)
FROM orders;
SELECT shows('pg_repack: the others stand in the order of their ids', array_agg(id ORDER BY ctid) = array_agg(id ORDER BY id))
FROM orders WHERE item NOT LIKE '%written';
SELECT shows('pg_repack: the column keeps its kind and its default',
             format_type(atttypid, atttypmod) = 'gid(o)' AND pg_get_expr(adbin, adrelid) = 'gid_new(''o''::text)'
             AND is_refused('INSERT INTO orders SELECT id, id, name FROM customers'))
FROM pg_attribute JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
WHERE attrelid = 'orders'::regclass AND attname = 'id';
