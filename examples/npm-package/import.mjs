// By import, from ES modules.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getTableColumns, is } from 'drizzle-orm';
import { PgColumn, pgTable } from 'drizzle-orm/pg-core';
import { Gid } from 'pg-gid';
import { gid, gidKey } from 'pg-gid/drizzle';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

const require = createRequire(import.meta.url);
shows('require', require.resolve('pg-gid').endsWith('/node_modules/pg-gid/node.cjs'));
shows('import', Gid.new('o').kind === 'o' && import.meta.resolve('pg-gid').endsWith('/node_modules/pg-gid/node.js'));

// The program's own Drizzle, and not another copy.
const { id, customer } = getTableColumns(pgTable('orders', { id: gidKey('o'), customer: gid({ kind: 'c' }) }));
shows('pg-gid/drizzle with the drizzle-orm of the program', is(id, PgColumn) && id.getSQLType() === 'gid(o)' && customer.getSQLType() === 'gid(c)');

// Both forms of each module.
const { exports } = JSON.parse(readFileSync('node_modules/pg-gid/package.json', 'utf8'));
for (const path of Object.keys(exports)) {
	const name = path.replace('.', 'pg-gid');
	const [imported, required] = [await import(name), require(name)];
	shows(`${name}, by import and by require`, Object.keys(imported).length > 0 && Object.keys(imported).sort().join() === Object.keys(required).sort().join());
}
const { Gid: Required } = require('pg-gid');
const order = Gid.new('o');
shows('a program with both', Required !== Gid && new Required(order).equals(order) && order.equals(new Required(order.text)));
