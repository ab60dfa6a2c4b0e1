// Drizzle: columns of gid(kind), which check the kinds of ids.
import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { ofKind } from './checked.js';

export function gid(...args) {
	const kind = args.at(-1)?.kind;
	return customType({
		dataType: () => kind === undefined ? 'gid' : `gid(${kind})`,
		// In an array Drizzle reads NULL as this text.
		fromDriver: value => value === 'NULL' ? null : value,
		// Compared with an id, a parameter without a type is read as an id.
		toDriver: value => value instanceof Date ? timestamptz(value) : ofKind(value, kind),
	})(...args);
}

export const gidKey = kind => gid({ kind }).primaryKey().default(sql.raw(`gid_new('${kind}')`));

export const timestamptz = date => sql`${date.toISOString()}::timestamptz`;

export const timeOf = id => sql`gid_timestamp(${id})`.mapWith(time => new Date(time));
