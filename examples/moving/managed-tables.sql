-- Jobs with ids that are in a column of uuid, and tries that refer to them.
CREATE TABLE jobs (
	id uuid PRIMARY KEY DEFAULT gid.gid_new('j'),
	name text NOT NULL,
	changes int NOT NULL DEFAULT 0
);
CREATE TABLE tries (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	job_id uuid NOT NULL REFERENCES jobs,
	changes int NOT NULL DEFAULT 0
);
CREATE INDEX tries_job_id_idx ON tries (job_id);

INSERT INTO jobs (id, name)
SELECT gid.gid_new('j', timestamptz '2026-01-01 00:00+00' + n / 5 * interval '0.000321 s'), 'job ' || n
FROM generate_series(1, 1000) n;
INSERT INTO tries (job_id) SELECT id FROM jobs, generate_series(1, 3);
