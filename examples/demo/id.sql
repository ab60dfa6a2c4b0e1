CREATE EXTENSION gid;
SELECT gid_new('segment') AS id, gid_new('segment') AS the_next_one;
SELECT id, gid_kind(id), gid_timestamp(id) AS made_at FROM gid_new('o') AS id;
