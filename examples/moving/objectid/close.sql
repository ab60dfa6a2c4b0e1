-- Gives up the way back of posts.

\set ON_ERROR_STOP on
ALTER TABLE posts ALTER id SET DEFAULT gid_new('p');
