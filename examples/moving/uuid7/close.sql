-- Gives up the way back of devices; their old keys stay, to be looked up.

\set ON_ERROR_STOP on
SET lock_timeout = '2s';
DROP FUNCTION readings_old_device_id CASCADE;
ALTER TABLE readings DROP old_device_id;
ALTER TABLE devices ALTER old_id DROP NOT NULL, ALTER old_id DROP DEFAULT;
