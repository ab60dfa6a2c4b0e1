-- Moves devices from UUIDv7, in one transaction that locks them.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE devices, readings IN ACCESS EXCLUSIVE MODE;

ALTER TABLE readings DROP CONSTRAINT readings_device_id_fkey;
ALTER TABLE devices DROP CONSTRAINT devices_pkey;

ALTER TABLE devices RENAME id TO old_id;
ALTER TABLE devices ADD id gid(d);
UPDATE devices SET id = gid_of_uuid7('d', old_id);
ALTER TABLE devices ADD PRIMARY KEY (id), ALTER id SET DEFAULT gid_new('d');
CREATE UNIQUE INDEX devices_old_id ON devices (old_id);

ALTER TABLE readings RENAME device_id TO old_device_id;
ALTER TABLE readings ADD device_id gid(d);
UPDATE readings SET device_id = gid_of_uuid7('d', old_device_id);
ALTER TABLE readings ALTER device_id SET NOT NULL, ADD FOREIGN KEY (device_id) REFERENCES devices;
ALTER INDEX readings_device_id_idx RENAME TO readings_old_device_id_idx;
CREATE INDEX readings_device_id_idx ON readings (device_id);

CREATE FUNCTION readings_old_device_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_device_id := (SELECT old_id FROM devices WHERE id = NEW.device_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_device_id BEFORE INSERT OR UPDATE ON readings
FOR EACH ROW EXECUTE FUNCTION readings_old_device_id();
COMMIT;

VACUUM ANALYZE devices, readings;
