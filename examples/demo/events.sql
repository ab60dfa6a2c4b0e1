CREATE TABLE events (id gid(e) PRIMARY KEY DEFAULT gid_new('e'), body text);
SELECT gid_lower_bound('e', '-infinity');
