-- Statements that count what is between the times of two ids.
WITH times AS MATERIALIZED (
    SELECT gid_timestamp(id) AS t, row_number() OVER (ORDER BY random()) AS n FROM local_orders
)
SELECT format('SELECT count(*) FROM orders WHERE id >= timestamptz %L AND id < timestamptz %L;',
              least(a.t, b.t), greatest(a.t, b.t))
FROM times a JOIN times b ON b.n = a.n + 1
WHERE a.n <= 200;
