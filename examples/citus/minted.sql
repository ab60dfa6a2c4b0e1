SELECT shows('each node mints ids of its own: ' || string_agg(node || ' ' || count, ', ' ORDER BY node),
             count(*) = 3 AND min(count) = 100 AND max(count) = 100)
FROM (SELECT gid_node(id) AS node, count(*) FROM orders WHERE item = 'minted' GROUP BY 1) n;
SELECT shows('no two are the same: ' || count(*), count(DISTINCT id) = count(*)) FROM orders;
SELECT shows('a query returns the numbers of all nodes',
             (SELECT string_agg(result, ' ' ORDER BY result) FROM run_command_on_all_nodes('SELECT node FROM gid_generator()')) = '0 1 2');

CREATE TABLE local_orders AS SELECT * FROM orders;
