-- Makes UUIDv7 the key of devices again, as it was.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '2s';
LOCK TABLE devices, readings IN ACCESS EXCLUSIVE MODE;

DROP FUNCTION readings_old_device_id CASCADE;

ALTER TABLE readings DROP device_id;
ALTER TABLE readings RENAME old_device_id TO device_id;
ALTER INDEX readings_old_device_id_idx RENAME TO readings_device_id_idx;

ALTER TABLE devices DROP id;
ALTER TABLE devices RENAME old_id TO id;
ALTER TABLE devices ADD CONSTRAINT devices_pkey PRIMARY KEY USING INDEX devices_old_id;
ALTER TABLE readings ADD CONSTRAINT readings_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices NOT VALID;
COMMIT;

ALTER TABLE readings VALIDATE CONSTRAINT readings_device_id_fkey;
