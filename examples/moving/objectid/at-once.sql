-- Moves posts from ObjectId, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE posts, likes IN ACCESS EXCLUSIVE MODE;

ALTER TABLE likes DROP CONSTRAINT likes_post_id_fkey;
ALTER TABLE posts ALTER id DROP DEFAULT;
ALTER TABLE posts ALTER id TYPE gid(p) USING gid_of_objectid('p', id);
ALTER TABLE posts ALTER id SET DEFAULT gid_of_objectid('p', objectid());
ALTER TABLE likes ALTER post_id TYPE gid(p) USING gid_of_objectid('p', post_id);
ALTER TABLE likes ADD FOREIGN KEY (post_id) REFERENCES posts;
COMMIT;

ANALYZE posts, likes;
