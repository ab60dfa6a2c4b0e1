-- Makes ObjectIds the keys of posts again.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE posts, likes IN ACCESS EXCLUSIVE MODE;

ALTER TABLE likes DROP CONSTRAINT likes_post_id_fkey;
ALTER TABLE posts ALTER id DROP DEFAULT;
ALTER TABLE posts ALTER id TYPE text COLLATE "C" USING objectid_of(id);
ALTER TABLE posts ALTER id SET DEFAULT objectid();
ALTER TABLE likes ALTER post_id TYPE text COLLATE "C" USING objectid_of(post_id);
ALTER TABLE likes ADD FOREIGN KEY (post_id) REFERENCES posts;
COMMIT;

ANALYZE posts, likes;
