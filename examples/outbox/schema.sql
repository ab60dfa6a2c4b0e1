-- An outbox: each change of a balance leaves an event, in its own transaction.
CREATE EXTENSION gid;

-- An id is then from after the account's row was locked, so that the events of
-- an account are in the order of its changes.
ALTER DATABASE :"DBNAME" SET gid.instant_source = clock;

CREATE TABLE events (
    id      gid(e) PRIMARY KEY DEFAULT gid_new('e'),
    account int NOT NULL,
    amount  int NOT NULL,
    balance int NOT NULL
);

-- Events of one account are in one shard, and so in one order.
ALTER TABLE events ADD shard int GENERATED ALWAYS AS (abs(account % 4)) STORED;
CREATE INDEX ON events (shard, id);
CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL DEFAULT 0);
INSERT INTO accounts SELECT generate_series(1, 1000);

-- How far each consumer has come in each shard.
CREATE TABLE cursors (
    consumer text,
    shard    int,
    position gid NOT NULL,
    PRIMARY KEY (consumer, shard)
);

-- Wakes the pollers at commit.
CREATE FUNCTION wake() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NOTIFY events;
    RETURN NULL;
END $$;
CREATE TRIGGER wake AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION wake();

-- The writers and the pollers own nothing.
\getenv password PGPASSWORD
CREATE ROLE outbox_writer LOGIN PASSWORD :'password';
GRANT SELECT, UPDATE (balance) ON accounts TO outbox_writer;
GRANT INSERT ON events TO outbox_writer;

CREATE ROLE outbox_poller LOGIN PASSWORD :'password';
GRANT SELECT ON events TO outbox_poller;
GRANT SELECT, INSERT, UPDATE (position) ON cursors TO outbox_poller;

CREATE SCHEMA decoys;
GRANT CREATE, USAGE ON SCHEMA decoys TO outbox_writer;
