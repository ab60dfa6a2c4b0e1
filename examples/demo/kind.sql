INSERT INTO segments (id) SELECT id FROM graft WHERE gid_kind(id) = 'log' ORDER BY id LIMIT 1;
