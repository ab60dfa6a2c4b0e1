// Drizzle: columns of gid(kind), which check the kinds of ids.
import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { ofKind } from './checked.js';

export function gid(...args) {
	const kind = args.at(-1)?.kind;
	return customType({
		dataType: () => kind === undefined ? 'gid' : `gid(${kind})`,
		// In an array Drizzle 0 reads NULL as this text.  Drizzle 1 passes the whole array, as node-postgres returns it.
		fromDriver: value => value === 'NULL' ? null : '{['.includes(value[0]) ? arrayOf(value) : value,
		// Compared with an id, a parameter without a type is read as an id.
		toDriver: value => value instanceof Date ? timestamptz(value) : ofKind(value, kind),
	})(...args);
}

// Ids contain nothing that arrays or JSON quote.  Before "=" are lower bounds that are not 1, as in [0:1]={…}.
const arrayOf = text => JSON.parse(text.replace(/^.*=/, '').replace(/[^{},]+/g, id => id === 'NULL' ? 'null' : `"${id}"`)
	.replaceAll('{', '[').replaceAll('}', ']'));

export const gidKey = kind => gid({ kind }).primaryKey().default(sql.raw(`gid_new('${kind}')`));

export const timestamptz = date => sql`${date.toISOString()}::timestamptz`;

export const timeOf = id => sql`gid_timestamp(${id})`.mapWith(time => new Date(time));
