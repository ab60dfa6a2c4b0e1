-- The parameters: which values they take, and who may set them.
LOAD 'gid';
SELECT name, setting, unit, min_val, max_val, enumvals, context, vartype FROM pg_settings WHERE name LIKE 'gid.%' ORDER BY name;
SELECT state, regexp_replace(message, '(\d) ms', '\1', 'g') AS message FROM error_of('SET gid.max_clock_skew = -1');
SET gid.max_clock_skew = '5 parsecs';
SET gid.instant_source = 'yesterday';
SET gid.node = 1;
SET gid.nodes = 1;
CREATE ROLE regress_gid_user;
SET ROLE regress_gid_user;
SET gid.instant_source = clock;
SET gid.max_clock_skew = '1 h';
SET gid.node = 1;
ALTER SYSTEM SET gid.node = 1;
RESET ROLE;
GRANT SET ON PARAMETER gid.max_clock_skew TO regress_gid_user;
SET ROLE regress_gid_user;
SET gid.max_clock_skew = '1 h';
SHOW gid.max_clock_skew;
RESET ROLE;
REVOKE SET ON PARAMETER gid.max_clock_skew FROM regress_gid_user;
DROP ROLE regress_gid_user;
-- What was set before the library was loaded is checked when it is.
\c
SET gid.instant_source = 'yesterday';
SET gid.max_clock_skew = 'long';
SET gid.node = '9999';
LOAD 'gid';
SELECT name, setting FROM pg_settings WHERE name LIKE 'gid.%' ORDER BY name;
