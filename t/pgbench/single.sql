INSERT INTO minted (how) VALUES ('single') RETURNING id \gset
INSERT INTO told VALUES (':id', 'single');
