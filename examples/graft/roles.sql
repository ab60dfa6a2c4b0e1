-- Who commits owns nothing.  Who also makes checkpoints and collects garbage
-- can change and delete, and owns nothing either.
\getenv password PGPASSWORD
CREATE ROLE graft_committer LOGIN PASSWORD :'password';
GRANT SELECT ON logs, volumes, commits, segments, commit_segments TO graft_committer;
GRANT INSERT ON commits, segments, commit_segments TO graft_committer;

CREATE ROLE graft_keeper IN ROLE graft_committer;
GRANT INSERT, UPDATE, DELETE ON logs, volumes, commits, segments, commit_segments TO graft_keeper;
GRANT graft_keeper TO CURRENT_USER;
