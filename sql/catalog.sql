-- The catalog entries are what they should be, in the manner of PostgreSQL's
-- own opr_sanity and type_sanity.

-- The type.
SELECT typlen, typbyval, typalign, typstorage, typcategory, typisdefined, typdelim FROM pg_type WHERE oid = 'gid'::regtype;
SELECT extversion ~ '^\d+\.\d+$' AS is_version, extrelocatable FROM pg_extension WHERE extname = 'gid';

-- Every function, and how it is labelled.
CREATE TEMP VIEW function AS
SELECT p.* FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
JOIN pg_extension e ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass AND extname = 'gid';
SELECT oid::regprocedure AS function, prorettype::regtype AS returns,
	   provolatile AS v, proparallel AS p, proisstrict AS s, proleakproof AS l,
	   CASE WHEN prosupport <> 0 THEN prosupport END AS support
FROM function ORDER BY oid::regprocedure::text COLLATE "C";

-- All functions are in C, or in SQL.  None is internal: PostgreSQL would search it by name in a long list whenever a plan starts.
SELECT DISTINCT lanname, prokind FROM function JOIN pg_language l ON l.oid = prolang ORDER BY 2;
-- None runs as its owner.
SELECT count(*) FROM function WHERE prosecdef;

-- LEAKPROOF are the functions of ids and times that raise no error, but not the
-- type's output and the support functions; and the bounds in plans.
SELECT oid::regprocedure FROM function
WHERE prokind = 'f' AND proleakproof <> ('gid'::regtype = ANY (proargtypes)
	AND proargtypes::oid[] <@ '{gid,timestamptz,tstzrange,bigint}'::regtype[]::oid[]
	AND proname NOT IN ('gid_out', 'gid_observe', 'gid_observe_server', 'gid_explain')
	OR proname IN ('_gid_lower_bound', '_gid_upper_bound'));

-- Each of them is called with every corner of the 16 bytes, or with kinds and what is none.
CREATE TEMP TABLE corner AS
SELECT row_number() OVER () AS n,
	   (set_byte('\x00'::bytea, 0, prefix) || decode(ms, 'hex') || set_byte('\x00'::bytea, 0, byte_7) ||
		int8send((micro::bit(10) || low::bit(54))::bit(64)::bigint))::gid AS id
FROM unnest('{128,239,254,255}'::int[]) prefix,
	 unnest('{000000000000,000000000001,019ad0fea2a6,ffffffffffff}'::text[]) ms,
	 LATERAL unnest(ARRAY[0, 1, 127, prefix, 255]) byte_7, unnest('{0,999,1000,1023}'::int[]) micro,
	 unnest('{0,1,1073741823,1073741824,18014398509481983}'::bigint[]) low;
CREATE TEMP TABLE far AS
SELECT unnest('{-infinity,4713-01-01 BC,1969-12-31 23:59:59.999999+00,1970-01-01 00:00+00,2026-01-01 00:00:00.0005+00,
	10889-08-02 05:31:50.655+00,10889-08-02 05:31:50.655001+00,294276-12-31 23:59:59.999999+00,infinity}'::timestamptz[]) AS at;
CREATE TEMP TABLE span AS
SELECT tstzrange(a.at, b.at, bounds) AS range FROM far a, far b, unnest('{[],()}'::text[]) bounds WHERE a.at <= b.at;
INSERT INTO span VALUES ('empty'), ('(,)');
CREATE FUNCTION pg_temp.calls(arguments text, source text, call regproc, OUT calls bigint, OUT results bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*), count(result::text) FROM (SELECT %s(%s) AS result FROM %s) s', call, arguments, source) INTO calls, results;
END $$;
SELECT function, calls, results
FROM (SELECT oid::regprocedure::text AS function, string_agg(argument, ', ' ORDER BY n) AS arguments, string_agg(source, ', ' ORDER BY n) AS source, oid::regproc AS call
	  FROM function, unnest(proargtypes) WITH ORDINALITY a (type, n)
		   JOIN (VALUES ('text'::regtype, 1, 'kind', 'unnest(ARRAY[''o'', ''254'', ''255'', '''', ''blob'', repeat(''é'', 100000)]) kind'), ('gid', 1, 'a.id', 'corner a'), ('gid', 2, 'b.id', '(SELECT id FROM corner WHERE n % 16 = 0) b'),
						('timestamptz', 1, 'at', 'far'), ('timestamptz', 2, 'at', 'far'),
						('tstzrange', 2, 'range', 'span'), ('bigint', 2, 'seed', 'unnest(''{0,-1}''::bigint[]) seed')) v (type, n, argument, source) USING (type, n)
	  WHERE proleakproof AND prokind = 'f' GROUP BY oid) f, pg_temp.calls(arguments, source, call)
ORDER BY function COLLATE "C";

-- Equality and hashes are those of a uuid with the same bytes.
SELECT count(*), count(*) FILTER (WHERE (a.id = b.id) = (a.id::uuid = b.id::uuid) AND (a.id <> b.id) = (a.id::uuid <> b.id::uuid)) AS same
FROM corner a, corner b WHERE a.n % 8 = 0 OR a.n = b.n;
SELECT count(*), count(*) FILTER (WHERE gid_hash(id) = uuid_hash(id::uuid)) AS same,
	   count(*) FILTER (WHERE gid_hash_extended(id, -n) = uuid_hash_extended(id::uuid, -n)) AS same_extended
FROM corner;

-- So a policy or a view with security_barrier does not keep them from an index.
CREATE TABLE guarded AS
SELECT gid_random(CASE n % 100 WHEN 0 THEN 'p' ELSE 'o' END, '2026-01-01 00:00+00'::timestamptz + n * interval '1 min') AS id
FROM generate_series(1, 2000) n;
CREATE INDEX ON guarded (gid_kind(id));
CREATE INDEX ON guarded (gid_timestamp(id));
CREATE INDEX ON guarded (gid_to_uuid(id));
CREATE VIEW guarded_view WITH (security_barrier) AS SELECT id FROM guarded WHERE length(id::text) > 0;
CREATE TABLE policed AS TABLE guarded;
CREATE INDEX ON policed (gid_kind(id));
CREATE INDEX ON policed (gid_timestamp(id));
CREATE INDEX ON policed (gid_to_uuid(id));
ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON policed USING (length(id::text) > 0);
ANALYZE guarded;
ANALYZE policed;
CREATE ROLE regress_gid_reader;
GRANT SELECT ON policed, guarded_view TO regress_gid_reader;
SET ROLE regress_gid_reader;
SELECT relation, condition,
	   (SELECT count(*) FROM plan_of(format('SELECT FROM %I WHERE %s', relation, condition)) line WHERE line LIKE '%Index Cond%') AS index_conditions
FROM unnest('{policed,guarded_view}'::text[]) relation,
	 (VALUES ($$gid_kind(id) = 'p'$$), ($$gid_timestamp(id) < '2026-01-01 00:10+00'$$),
			 ($$id::uuid = 'ef019bec-f3f9-40ef-41c4-cc7e2aaddfc3'$$)) v (condition);
RESET ROLE;
DROP VIEW guarded_view;
DROP TABLE guarded, policed;
DROP ROLE regress_gid_reader;

-- No argument or column has a name that must be quoted, or that no query can use.
SELECT f.oid::regprocedure, name FROM function f, unnest(proargnames) name JOIN pg_get_keywords() ON word = name WHERE catcode IN ('R', 'T');

-- Volatile are exactly the functions that mint or draw random bits, and those
-- that show the clock or what other sessions do; restricted, those that use this session's
-- generator or the server's clock.
SELECT oid::regprocedure FROM function WHERE (provolatile = 'v') <> (proname IN ('gid_new', 'gid_random', 'gid_observe', 'gid_observe_server', 'gid_generator', 'gid_unsettled', 'gid_explain')) AND prokind = 'f';
SELECT oid::regprocedure FROM function WHERE (proparallel <> 's') <> (proname IN ('gid_new', 'gid_observe', 'gid_observe_server', 'gid_generator', 'gid_settled', 'gid_unsettled'));
-- These have another cost, or another number of rows, than PostgreSQL assumes.
SELECT oid::regprocedure, procost, prorows FROM function WHERE procost <> 1 AND prolang <> (SELECT oid FROM pg_language WHERE lanname = 'sql') OR prorows <> 0 ORDER BY 1;
-- Operators use functions labelled as they should be.
SELECT o.oid::regoperator FROM pg_operator o JOIN pg_proc p ON p.oid = oprcode
WHERE 'gid'::regtype IN (oprleft, oprright) AND (provolatile <> 'i' OR NOT proisstrict OR proleakproof <> (oprresult = 'boolean'::regtype) OR proparallel <> 's');

-- Operators: commutator and negator point both ways, and estimators fit.
SELECT o.oid::regoperator AS operator, o.oprcode AS code, c.oprname AS commutator, n.oprname AS negator, o.oprcanmerge AS merge,
	   o.oprcanhash AS hash, o.oprrest AS restrict, o.oprjoin AS join,
	   c.oprcom = o.oid AND n.oprnegate = o.oid AS both_ways
FROM pg_operator o LEFT JOIN pg_operator c ON c.oid = o.oprcom LEFT JOIN pg_operator n ON n.oid = o.oprnegate
WHERE 'gid'::regtype IN (o.oprleft, o.oprright) ORDER BY o.oid::regoperator::text COLLATE "C";

-- Operator classes: valid, default where they should be, with all their
-- functions, less the two that are there from 18 on.
SELECT amname, opcname, opcdefault, amvalidate(c.oid),
	   (SELECT array_agg(amprocnum ORDER BY amprocnum) FROM pg_amproc
		WHERE amprocfamily = opcfamily AND amproc::text NOT IN ('uuid_skipsupport', 'gid_gist_strategy')) AS functions,
	   (SELECT string_agg(oprname, ' ' ORDER BY amopstrategy) FROM pg_amop JOIN pg_operator o ON o.oid = amopopr
		WHERE amopfamily = opcfamily) AS operators
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod WHERE opcintype = 'gid'::regtype ORDER BY 1, 2;

SELECT coalesce(string_agg(format('%s %s', amprocnum, amproc), ', ' ORDER BY amprocnum), '') =
	CASE WHEN current_setting('server_version_num')::int >= 180000 THEN '6 uuid_skipsupport, 12 gid_gist_strategy' ELSE '' END AS since_18
FROM pg_amproc WHERE amproc::text IN ('uuid_skipsupport', 'gid_gist_strategy') AND amproclefttype <> 'uuid'::regtype;

-- Casts.
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod
FROM pg_cast WHERE 'gid'::regtype IN (castsource, casttarget) ORDER BY 1, 2;

-- Aggregates sort, combine and run in parallel.
SELECT a.aggfnoid::regprocedure, aggtransfn, aggcombinefn, aggsortop::regoperator, proparallel
FROM pg_aggregate a JOIN function f ON f.oid = aggfnoid ORDER BY 1;

-- Everything has a comment.
SELECT pg_describe_object(classid, objid, 0) AS without_comment FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gid')
  AND classid NOT IN ('pg_opfamily'::regclass)
  AND NOT EXISTS (SELECT FROM pg_description c WHERE c.objoid = objid AND c.classoid = classid AND objsubid = 0)
  AND pg_describe_object(classid, objid, 0) <> 'type gid[]';

-- Everything is in pg_catalog, and refers only to objects there.
CREATE TEMP VIEW part AS
SELECT classid, objid, (pg_identify_object(classid, objid, 0)).type FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gid');
SELECT DISTINCT pg_describe_object(refclassid, refobjid, 0)
FROM part JOIN pg_depend USING (classid, objid), pg_identify_object(refclassid, refobjid, 0) o
WHERE refclassid = 'pg_namespace'::regclass OR schema <> 'pg_catalog';
-- No part is a table, a view or a row type: pg_upgrade could not restore it there, and ALTER EXTENSION could not update it.
SELECT DISTINCT type, typtype FROM part LEFT JOIN pg_type t ON (t.tableoid, t.oid) = (classid, objid) ORDER BY type;

-- Every role can use everything, except one function, although setup.sql revoked the default privileges.
SELECT oid::regprocedure FROM function WHERE NOT has_function_privilege('public', oid, 'EXECUTE');
SELECT has_type_privilege('public', 'gid', 'USAGE'), has_type_privilege('public', 'gid[]', 'USAGE');
