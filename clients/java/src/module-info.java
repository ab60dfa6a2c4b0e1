/** Ids of PostgreSQL's extension gid.  A program that uses JDBC or Jackson has these modules. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module gid {
	requires static com.fasterxml.jackson.annotation;
	requires static transitive java.sql;
	requires static transitive org.postgresql.jdbc;
	exports gid;
	exports gid.jdbc;
}
