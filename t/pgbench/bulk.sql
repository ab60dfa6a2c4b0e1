WITH i AS (INSERT INTO minted (how) SELECT 'bulk' FROM generate_series(1, 1000) RETURNING id)
SELECT min(id) AS first, max(id) AS last FROM i \gset
INSERT INTO told VALUES (':first', 'bulk'), (':last', 'bulk');
