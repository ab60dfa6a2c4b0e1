BEGIN;
INSERT INTO minted (how) VALUES ('savepoint'), ('savepoint');
SAVEPOINT a;
INSERT INTO minted (how) VALUES ('savepoint') RETURNING id AS lost \gset
ROLLBACK TO a;
INSERT INTO minted (how) VALUES ('savepoint') RETURNING id \gset
COMMIT;
INSERT INTO told VALUES (':lost', 'lost'), (':id', 'savepoint');
