CREATE EXTENSION gid;

CREATE TABLE events (
    id   gid(e) PRIMARY KEY DEFAULT gid_new('e'),
    body text
) PARTITION BY RANGE (id);
