// Drizzle: columns of gid(kind), whose values are Gid.
import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { ofKind } from './checked.js';
import { Gid } from './gid.js';

// gid({ kind: 'o' }), or gid('name', { kind: 'o' }): a column of gid(o), and
// gid() one of ids of any kind.
export function gid(...args) {
	const kind = args.at(-1)?.kind;
	return customType({
		dataType: () => kind === undefined ? 'gid' : `gid(${kind})`,
		// In an array Drizzle reads NULL as this text.
		fromDriver: value => value === null || value === 'NULL' ? null : new Gid(value),
		// Compared with an id, a parameter without a type is read as an id.
		toDriver: value => value instanceof Date ? timestamptz(value) : ofKind(value, kind),
	})(...args);
}

// A primary key whose ids the server mints.
export const gidKey = kind => gid({ kind }).primaryKey().default(sql.raw(`gid_new('${kind}')`));

// A time to compare an id with.
export const timestamptz = date => sql`${date.toISOString()}::timestamptz`;

// The creation time of an id, from the server.
export const timeOf = id => sql`gid_timestamp(${id})`.mapWith(time => new Date(time));
