CREATE EXTENSION pg_repack;

-- Orders were made from the newest to the oldest.
CREATE TABLE old AS SELECT pg_relation_filenode('orders') AS file;
SELECT shows('before pg_repack, rows do not stand in the order of their ids',
             array_agg(id ORDER BY ctid) <> array_agg(id ORDER BY id)) FROM orders;

CREATE TABLE written (line text);
GRANT INSERT ON written TO extensions_clerk;
CREATE PROCEDURE wait_until_written() LANGUAGE plpgsql AS $$
BEGIN
    WHILE NOT EXISTS (SELECT FROM written) LOOP
        PERFORM pg_sleep(0.1);
    END LOOP;
END $$;
