// Drizzle: columns of gid(kind), whose values are Gid.
import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { Gid } from './gid.js';

// gid({ kind: 'o' }), or gid('name', { kind: 'o' }): a column of gid(o), and
// gid() one of ids of any kind.
export const gid = customType({
	dataType: config => config?.kind === undefined ? 'gid' : `gid(${config.kind})`,
	fromDriver: value => new Gid(value),
	// Beside an id a parameter is read as an id, unless it says that it is a time.
	toDriver: value => value instanceof Date ? timestamptz(value) : String(value),
});

// A primary key whose ids the server makes.
export const gidKey = kind => gid({ kind }).primaryKey().default(sql.raw(`gid_new('${kind}')`));

// A time to compare an id with.
export const timestamptz = date => sql`${date.toISOString()}::timestamptz`;

// When an id was made, as the server says.
export const timeOf = id => sql`${id}::timestamptz`.mapWith(time => new Date(time));
