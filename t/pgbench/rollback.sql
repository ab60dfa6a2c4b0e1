BEGIN;
INSERT INTO minted (how) VALUES ('rollback') RETURNING id AS lost \gset
ROLLBACK;
INSERT INTO told VALUES (':lost', 'lost');
