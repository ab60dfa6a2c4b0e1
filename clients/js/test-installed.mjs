// The installed package: each module by import and by require.  Runs in the folder of a program.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { getTableColumns, is } from 'drizzle-orm';
import { PgColumn, pgTable } from 'drizzle-orm/pg-core';
import { Gid } from 'pg-gid';
import { gid, gidKey } from 'pg-gid/drizzle';

const require = createRequire(import.meta.url);
const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);

const { exports } = JSON.parse(readFileSync('node_modules/pg-gid/package.json', 'utf8'));
for (const path of Object.keys(exports)) {
	const name = path.replace('.', 'pg-gid');
	const [imported, required] = [await import(name), require(name)].map(module => Object.keys(module).sort().join());
	shows(`${name}, by import and by require`, imported !== '' && imported === required);
}
// The program's own Drizzle, and not another copy.
shows('pg-gid/drizzle with the drizzle-orm of the program', is(getTableColumns(pgTable('orders', { id: gidKey('o') })).id, PgColumn));
const { Gid: Required } = require('pg-gid');
const order = Gid.new('o');
shows('a program with both', Required !== Gid && Required.parse(order, 'o') === order);
// Drizzle 1 calls this for a column of arrays.
const { ids } = getTableColumns(pgTable('orders', { ids: gid({ kind: 'o' }) }));
const read = ['{}', `{${order},NULL}`, `{{${order}}}`, `[0:0]={${order}}`].map(text => ids.mapFromDriverValue(text));
shows('Drizzle: arrays as text', isDeepStrictEqual(read, [[], [order, null], [[order]], [order]]));
