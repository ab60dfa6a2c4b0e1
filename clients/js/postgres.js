// postgres.js.  A Gid as a parameter needs no set-up.
import { Gid } from './gid.js';

// The number of the type gid differs from database to database, so this asks for it once, on a separate connection.
export async function gidType(postgres, ...config) {
	const sql = postgres(...config);
	try {
		const [{ oid }] = await sql`SELECT 'pg_catalog.gid'::regtype::oid AS oid`;
		// In an array postgres.js reads NULL as this text.
		return { to: oid, from: [oid], serialize: String, parse: text => text === 'NULL' ? null : new Gid(text) };
	} finally {
		await sql.end();
	}
}
