-- Tags that have no time, and uses that refer to them.

CREATE TABLE tags (
    name    text PRIMARY KEY,
    changes int NOT NULL DEFAULT 0
);
CREATE TABLE uses (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tag_name text NOT NULL REFERENCES tags,
    changes  int NOT NULL DEFAULT 0
);
CREATE INDEX uses_tag_name_idx ON uses (tag_name);

INSERT INTO tags SELECT 'tag ' || n FROM generate_series(1, 1000) n;
INSERT INTO uses (tag_name) SELECT name FROM tags, generate_series(1, 3);
