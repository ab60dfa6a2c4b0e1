CREATE EXTENSION gid;
CREATE TABLE orders (
    id   gid(o) PRIMARY KEY DEFAULT gid_new('o'),
    item text NOT NULL
);
INSERT INTO orders (id, item) SELECT gid_random('o', now() - n * interval '1 minute'), 'item ' || n FROM generate_series(1, 1000) n;
