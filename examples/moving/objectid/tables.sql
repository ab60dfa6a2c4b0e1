-- Posts with ObjectIds as keys, and likes that refer to them.

CREATE SEQUENCE objectids;
CREATE FUNCTION objectid(at timestamptz DEFAULT clock_timestamp()) RETURNS text LANGUAGE sql VOLATILE
RETURN lpad(to_hex(ms_of_time(at) / 1000), 8, '0') || left(md5('this machine'), 10)
       || lpad(to_hex(nextval('objectids') % 16777216), 6, '0');

CREATE TABLE posts (
    id      text COLLATE "C" PRIMARY KEY DEFAULT objectid(),
    name    text NOT NULL,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE likes (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    post_id text COLLATE "C" NOT NULL REFERENCES posts,
    changes int NOT NULL DEFAULT 0
);
CREATE INDEX likes_post_id_idx ON likes (post_id);

INSERT INTO posts (id, name)
SELECT objectid(timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.321 s'), 'post ' || n
FROM generate_series(1, 1000) n;
INSERT INTO likes (post_id) SELECT id FROM posts, generate_series(1, 3);
