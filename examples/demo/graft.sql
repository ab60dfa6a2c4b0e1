SELECT id, gid_kind(id), gid_timestamp(id) AS made_at FROM graft ORDER BY id;
