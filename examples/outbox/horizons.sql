-- How far the events of each server are settled.  It is replicated with them,
-- by the same subscriptions.
CREATE TABLE horizons (
    server  int PRIMARY KEY,
    settled gid(e) NOT NULL DEFAULT gid_lower_bound('e', '-infinity')
);
INSERT INTO horizons SELECT generate_series(1, 3);
