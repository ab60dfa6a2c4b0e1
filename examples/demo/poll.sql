SELECT coalesce(string_agg(body, ',' ORDER BY id), 'nothing'), coalesce(max(id), :'after')
FROM events WHERE id > :'after' AND id < :bound;
