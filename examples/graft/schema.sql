-- What a metastore of Graft keeps: volumes, the logs of their commits, and
-- which segments in blob storage hold the pages that a commit wrote.
--
-- Each column takes ids of one kind only, so that a log can never stand where
-- a volume belongs.
CREATE EXTENSION gid;

-- For the signatures of functions, where PostgreSQL ignores the kind of gid(kind).
CREATE DOMAIN volume_id AS gid(volume);
CREATE DOMAIN segment_id AS gid(segment);

-- A graft is a set of pages, the first of which is number 1.  Pages are written
-- in runs, and a multirange stores runs; its union, difference and intersection
-- are what a metastore computes.  An int[] has a number for every page, and
-- takes the extension intarray for the same.
CREATE DOMAIN graft AS int4multirange
	CHECK (NOT isempty(VALUE) AND lower(VALUE) >= 1 AND NOT upper_inf(VALUE));

CREATE TABLE logs (
	id gid(log) PRIMARY KEY DEFAULT gid_new('log')
);

CREATE TABLE volumes (
	id gid(volume) PRIMARY KEY DEFAULT gid_new('volume'),
	log gid(log) NOT NULL REFERENCES logs
);

CREATE TABLE commits (
	log gid(log) REFERENCES logs,
	lsn bigint CHECK (lsn >= 1),
	page_count int NOT NULL CHECK (page_count >= 0),
	committed_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (log, lsn)
);

-- Who made a segment and when is in its id.
CREATE TABLE segments (
	id gid(segment) PRIMARY KEY DEFAULT gid_new('segment')
);

-- A segment is needed while a row here refers to it: the foreign key is the
-- count of references that cannot be wrong.
CREATE TABLE commit_segments (
	log gid(log),
	lsn bigint,
	segment gid(segment) REFERENCES segments,
	graft graft NOT NULL,
	PRIMARY KEY (log, lsn, segment),
	FOREIGN KEY (log, lsn) REFERENCES commits ON DELETE CASCADE
);
CREATE INDEX ON commit_segments (segment);
