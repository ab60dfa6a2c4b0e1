-- Gives tags ids in the order of their names.

ALTER TABLE tags ADD id gid(t);
WITH places AS (
    SELECT name, row_number() OVER (ORDER BY name)::int - 1 AS place FROM tags
), first AS (
    SELECT gid_reserve('t', count(*)::int) AS id FROM tags
)
UPDATE tags SET id = first.id + place FROM places, first WHERE places.name = tags.name;
ALTER TABLE tags ALTER id SET DEFAULT gid_new('t');
