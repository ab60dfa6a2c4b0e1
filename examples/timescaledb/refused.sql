-- What TimescaleDB does not support.
\set ON_ERROR_STOP off
CREATE TABLE refused (id gid(e) PRIMARY KEY DEFAULT gid_new('e'));
SELECT create_hypertable('refused', by_range('id'));
SELECT shows('not possible, a hypertable on the id without the function: ' || :'LAST_ERROR_MESSAGE',
             :'ERROR' AND :'LAST_ERROR_MESSAGE' = 'invalid type for dimension "id"');

CREATE TABLE generated (id gid(e), made_at timestamptz GENERATED ALWAYS AS (gid_timestamp(id)) STORED);
SELECT create_hypertable('generated', by_range('made_at'));
SELECT shows('not possible, a generated column with the time: ' || :'LAST_ERROR_MESSAGE',
             :'ERROR' AND :'LAST_ERROR_MESSAGE' = 'invalid partitioning column');

CREATE MATERIALIZED VIEW per_day WITH (timescaledb.continuous) AS
SELECT time_bucket(INTERVAL '1 day', gid_timestamp(id)) AS day, count(*) FROM events GROUP BY day;
SELECT shows('not possible, a continuous aggregate: ' || :'LAST_ERROR_MESSAGE',
             :'ERROR' AND :'LAST_ERROR_MESSAGE' = 'custom partitioning functions not supported with continuous aggregates');

-- The policy is accepted, and its job fails.
ALTER TABLE events SET (timescaledb.enable_columnstore, timescaledb.orderby = 'id');
CALL add_columnstore_policy('events', after => INTERVAL '1 day');
SELECT job_id FROM timescaledb_information.jobs WHERE hypertable_name = 'events' \gset
CALL run_job(:job_id);
SELECT shows('not possible, a columnstore policy with "after": ' || :'LAST_ERROR_MESSAGE',
             :'ERROR' AND :'LAST_ERROR_MESSAGE' = 'case not found');
\set ON_ERROR_STOP on
CALL remove_columnstore_policy('events');
