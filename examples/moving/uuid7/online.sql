-- Moves devices from UUIDv7, while they are read and written.

\set ON_ERROR_STOP on
SELECT count(*) AS wrong FROM (
    SELECT new_id <= lag(new_id) OVER (ORDER BY id) AS wrong
    FROM devices, gid_of_uuid7('d', id) AS new_id) AS checked
WHERE wrong;

SET lock_timeout = '2s';
ALTER TABLE devices ADD new_id gid(d);
ALTER TABLE readings ADD new_device_id gid(d);

CREATE FUNCTION devices_new_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_id := gid_of_uuid7('d', NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_id BEFORE INSERT OR UPDATE ON devices
FOR EACH ROW WHEN (NEW.new_id IS NULL) EXECUTE FUNCTION devices_new_id();

CREATE FUNCTION readings_new_device_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.new_device_id := gid_of_uuid7('d', NEW.device_id);
    RETURN NEW;
END $$;
CREATE TRIGGER new_device_id BEFORE INSERT OR UPDATE ON readings
FOR EACH ROW EXECUTE FUNCTION readings_new_device_id();

CALL backfill('devices', 'id', 'new_id');
VACUUM ANALYZE devices;
CALL backfill('readings', 'device_id', 'new_device_id');
VACUUM ANALYZE readings;

CREATE UNIQUE INDEX CONCURRENTLY devices_new_id ON devices (new_id);
CREATE UNIQUE INDEX CONCURRENTLY devices_old_id ON devices (id);
CREATE INDEX CONCURRENTLY readings_new_device_id_idx ON readings (new_device_id);

SET lock_timeout = '2s';
ALTER TABLE devices ADD CONSTRAINT new_id CHECK (new_id IS NOT NULL) NOT VALID;
ALTER TABLE devices VALIDATE CONSTRAINT new_id;
ALTER TABLE devices ALTER new_id SET NOT NULL;
ALTER TABLE readings ADD CONSTRAINT new_device_id CHECK (new_device_id IS NOT NULL) NOT VALID;
ALTER TABLE readings VALIDATE CONSTRAINT new_device_id;
ALTER TABLE readings ALTER new_device_id SET NOT NULL;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE devices, readings IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE readings ADD CONSTRAINT readings_new_device_id_fkey
FOREIGN KEY (new_device_id) REFERENCES devices (new_id) NOT VALID;
COMMIT;
ALTER TABLE readings VALIDATE CONSTRAINT readings_new_device_id_fkey;

BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE devices, readings IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION devices_new_id, readings_new_device_id CASCADE;

ALTER TABLE readings DROP CONSTRAINT readings_device_id_fkey, DROP CONSTRAINT new_device_id;
ALTER TABLE readings RENAME CONSTRAINT readings_new_device_id_fkey TO readings_device_id_fkey;
ALTER TABLE readings RENAME device_id TO old_device_id;
ALTER TABLE readings RENAME new_device_id TO device_id;
ALTER INDEX readings_device_id_idx RENAME TO readings_old_device_id_idx;
ALTER INDEX readings_new_device_id_idx RENAME TO readings_device_id_idx;

ALTER TABLE devices DROP CONSTRAINT devices_pkey, DROP CONSTRAINT new_id;
ALTER TABLE devices RENAME id TO old_id;
ALTER TABLE devices RENAME new_id TO id;
ALTER TABLE devices ADD CONSTRAINT devices_pkey PRIMARY KEY USING INDEX devices_new_id,
                   ALTER id SET DEFAULT gid_new('d');

CREATE FUNCTION readings_old_device_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.old_device_id := (SELECT old_id FROM devices WHERE id = NEW.device_id);
    RETURN NEW;
END $$;
CREATE TRIGGER old_device_id BEFORE INSERT OR UPDATE ON readings
FOR EACH ROW EXECUTE FUNCTION readings_old_device_id();
COMMIT;
