BEGIN;
SELECT gid_reserve('o', 50) AS first \gset
INSERT INTO minted (id, how) SELECT gid ':first' + n, 'reserve' FROM generate_series(0, 49) n;
COMMIT;
INSERT INTO told VALUES (':first', 'reserve');
