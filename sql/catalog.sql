-- The catalog entries are what they should be, in the manner of PostgreSQL's
-- own opr_sanity and type_sanity.

-- The type.
SELECT typlen, typbyval, typalign, typstorage, typcategory, typisdefined, typdelim FROM pg_type WHERE oid = 'gid'::regtype;
SELECT extversion, extrelocatable FROM pg_extension WHERE extname = 'gid';

-- Every function, and how it is labelled.
CREATE TEMP VIEW function AS
SELECT p.* FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
JOIN pg_extension e ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass AND extname = 'gid';
SELECT oid::regprocedure AS function, prorettype::regtype AS returns,
	   provolatile AS v, proparallel AS p, proisstrict AS s, proleakproof AS l,
	   CASE WHEN prosupport <> 0 THEN prosupport END AS support
FROM function ORDER BY oid::regprocedure::text COLLATE "C";

-- All of the code is C, but for a function that reads a system view, and one
-- that calls many others.
SELECT DISTINCT lanname, prokind FROM function JOIN pg_language l ON l.oid = prolang ORDER BY 2;
-- None runs as its owner.
SELECT count(*) FROM function WHERE prosecdef;

-- LEAKPROOF are exactly the functions that compare or hash, and the bounds that
-- stand for a comparison.
SELECT count(*) FROM function WHERE proleakproof <>
	(oid IN (SELECT oprcode FROM pg_operator WHERE 'gid'::regtype IN (oprleft, oprright) AND oprresult = 'boolean'::regtype)
	 OR oid IN (SELECT amproc FROM pg_amproc WHERE amproclefttype = 'gid'::regtype AND amproc::text ~ '_(cmp|hash|hash_extended)$')
	 OR oid IN (SELECT aggtransfn FROM pg_aggregate)
	 OR oid IN ('gid_lower_bound(gid, timestamptz)'::regprocedure, 'gid_upper_bound(gid, timestamptz)'::regprocedure));
-- Volatile are exactly the functions that mint or draw random bits, and those
-- that show the clock or what other sessions do; restricted, those that use this session's
-- generator or the server's clock.
SELECT oid::regprocedure FROM function WHERE (provolatile = 'v') <> (proname IN ('gid_new', 'gid_random', 'gid_reserve', 'gid_observe', 'gid_observe_server', 'gid_generator', 'gid_claims', 'gid_unsettled', 'gid_explain')) AND prokind = 'f';
SELECT oid::regprocedure FROM function WHERE (proparallel <> 's') <> (proname = 'gid_new' AND pronargs = 1
	OR proname IN ('gid_reserve', 'gid_observe', 'gid_observe_server', 'gid_generator', 'gid_settled', 'gid_claims', 'gid_unsettled'));
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
-- functions, less skip support, which is there from 18 on.
SELECT amname, opcname, opcdefault, amvalidate(c.oid),
	   (SELECT array_agg(amprocnum ORDER BY amprocnum) FROM pg_amproc
		WHERE amprocfamily = opcfamily AND amproc::text <> 'gid_skipsupport') AS functions,
	   (SELECT string_agg(oprname, ' ' ORDER BY amopstrategy) FROM pg_amop JOIN pg_operator o ON o.oid = amopopr
		WHERE amopfamily = opcfamily) AS operators
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod WHERE opcintype = 'gid'::regtype ORDER BY 1, 2;

SELECT count(amprocnum = 6 OR NULL) = (current_setting('server_version_num')::int >= 180000)::int AS skips_from_18_on
FROM pg_amproc WHERE amproc::text = 'gid_skipsupport';

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
