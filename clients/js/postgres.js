// postgres.js: ids in results are Gid, alone and in arrays.  As parameters they
// are so by themselves.
import { Gid } from './gid.js';

// One of the types of a client.  CREATE EXTENSION gives gid another number in
// each database, so it is asked for once, on a connection of its own.
export async function gidType(postgres, ...config) {
	const sql = postgres(...config);
	try {
		const [{ oid }] = await sql`SELECT 'gid'::regtype::oid AS oid`;
		return { to: oid, from: [oid], serialize: String, parse: text => new Gid(text) };
	} finally {
		await sql.end();
	}
}
