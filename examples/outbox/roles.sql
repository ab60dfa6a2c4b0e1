-- The writers and the pollers own nothing.
\getenv password PGPASSWORD
CREATE ROLE outbox_writer LOGIN PASSWORD :'password';
GRANT SELECT, UPDATE (balance) ON accounts TO outbox_writer;
GRANT INSERT ON events TO outbox_writer;

CREATE ROLE outbox_poller LOGIN PASSWORD :'password';
GRANT SELECT ON events TO outbox_poller;
GRANT SELECT, INSERT, UPDATE (position) ON cursors TO outbox_poller;
