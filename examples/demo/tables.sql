CREATE TABLE segments (
    id   gid(segment) PRIMARY KEY DEFAULT gid_new('segment'),
    body text
);
CREATE TABLE segments_by_uuid (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now(),
    body       text
);
CREATE INDEX ON segments_by_uuid (created_at);
INSERT INTO segments (body) VALUES ('by default') RETURNING id;
