CREATE EXTENSION gid;
CREATE EXTENSION pg_cron;

-- A job is run as who scheduled it, who has to be able to log in and to own the table.
CREATE ROLE clerk LOGIN;
GRANT USAGE ON SCHEMA cron TO clerk;
GRANT USAGE, CREATE ON SCHEMA public TO clerk;
SET ROLE clerk;

CREATE TABLE events (
    id   gid(e) PRIMARY KEY DEFAULT gid_new('e'),
    body text
) PARTITION BY RANGE (id);
