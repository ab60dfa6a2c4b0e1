// By require, from CommonJS.
const { Gid } = require('pg-gid');
const { gid } = require('pg-gid/drizzle');
const { is } = require('drizzle-orm');
const { PgColumn, pgTable } = require('drizzle-orm/pg-core');

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

shows('require', Gid.new('o').kind === 'o' && require.resolve('pg-gid').endsWith('/node_modules/pg-gid/node.cjs'));
shows('pg-gid/drizzle, by require', is(pgTable('orders', { id: gid({ kind: 'o' }) }).id, PgColumn));
