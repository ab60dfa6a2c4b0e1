// postgres.js.  A Gid as a parameter needs no set-up.
import { Gid } from './gid.js';
import { TYPES } from './types.js';

// The OID of the type gid differs between databases, so this asks for it once, on a separate connection.
export async function gidType(postgres, ...config) {
	const sql = postgres(...config);
	try {
		const from = (await sql.unsafe(TYPES)).map(({ oid }) => oid);
		// In an array postgres.js reads NULL as this text.
		return { to: from[0], from, serialize: String, parse: text => text === 'NULL' ? null : new Gid(text) };
	} finally {
		await sql.end();
	}
}
