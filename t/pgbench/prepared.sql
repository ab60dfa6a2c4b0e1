BEGIN;
INSERT INTO minted (how) SELECT 'prepared' FROM generate_series(1, 9);
INSERT INTO minted (how) VALUES ('prepared') RETURNING id \gset
PREPARE TRANSACTION 'of client :client_id';
COMMIT PREPARED 'of client :client_id';
INSERT INTO told VALUES (':id', 'prepared');
