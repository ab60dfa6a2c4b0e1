// Runs sections of doc/clients/javascript.md, each as one program, and shows what the drivers raise and read.  Runs in
// the folder of a program.  The variables of libpq name the server.  The examples of errors are those of doc/clients.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/node-postgres';
import { sql as text } from 'drizzle-orm';
import knex from 'knex';
import pg from 'pg';
import { gidTypes } from 'pg-gid/pg';
import postgres from 'postgres';
import { Sequelize } from 'sequelize';
import { DataSource } from 'typeorm';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
const page = name => readFileSync(`../gid/doc/${name}.md`, 'utf8');
const shop = readFileSync('../gid/examples/shop.sql', 'utf8');
const pool = new pg.Pool();
const { PGDATABASE, PGUSER, PGPASSWORD, PGHOST, PGPORT } = process.env;

// An empty database with the extension, and the tables of the shop if they are asked for.
const begin = tables => pool.query(`DROP EXTENSION IF EXISTS gid CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public;
	${tables ?? 'CREATE EXTENSION gid'}`);

// JavaScript before a block for the shell is the file that the text above it names.
for (const section of page('clients/javascript').split(/^## /m)) {
	const mark = section.match(/^<!-- blocks: clients\/js\/test-page\.mjs runs them (.*) -->$/m);
	if (!mark) continue;
	await begin(mark[1].includes('shop.sql') ? shop : undefined);
	const name = section.split('\n')[0];
	let [program, isTypeScript] = ['', false];
	try {
		for (const [, language, block] of section.matchAll(/^```(js|ts|sh)\n(.*?)^```$/gms)) {
			isTypeScript ||= language === 'ts';
			if (language === 'sh') {
				writeFileSync(section.match(/`(\w+\.js)`/)[1], program);
				execFileSync('sh', ['-ec', block], { stdio: 'pipe' });
				program = '';
			} else program += block;
		}
		writeFileSync(isTypeScript ? 'section.ts' : 'section.js', `${program}\nprocess.exit();\n`);
		if (isTypeScript)
			execFileSync('npx', ['tsc', '--strict', '--skipLibCheck', '--experimentalDecorators', '--emitDecoratorMetadata',
				'--target', 'es2022', '--module', 'node16', 'section.ts'], { stdio: 'pipe' });
		execFileSync('node', ['section.js'], { stdio: 'pipe' });
		shows(`the blocks of ${name}`, true);
	} catch (error) {
		shows(`the blocks of ${name}`, false);
		console.log(`${error.stdout ?? ''}${error.stderr ?? error}`.replace(/^/gm, '# '));
	}
	for (const file of ['drizzle', 'schema.js', 'section.js', 'section.ts']) rmSync(file, { force: true, recursive: true });
}

const [tested] = page('clients/javascript').match(/^Tested with .*?next to any version/ms);
const versions = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)
	.filter(([name]) => !['pg-gid', 'reflect-metadata'].includes(name));
shows('the page names the versions that are tested here', versions.every(([, version]) => tested.includes(version)));

// Errors.
await begin(shop);
const sql = postgres();
const db = knex({ client: 'pg', connection: {} });
const sequelize = new Sequelize(PGDATABASE, PGUSER, PGPASSWORD, { dialect: 'postgres', host: PGHOST, port: PGPORT, logging: false });
const source = await new DataSource({ type: 'postgres' }).initialize();
const drivers = {
	'node-postgres': query => pool.query(query),
	'postgres.js': query => sql.unsafe(query),
	Knex: query => db.raw(query),
	TypeORM: query => source.query(query),
	Drizzle: query => drizzle({ client: pool }).execute(text.raw(query)),
	Sequelize: query => sequelize.query(query),
};
const rows = (page, header) => {
	const table = page.slice(page.indexOf(header)).split('\n\n')[0].split('\n').slice(2);
	return table.filter(Boolean).map(row => row.split('|').map(cell => cell.trim()).slice(1, -1));
};
for (const [names, code] of rows(page('clients/javascript'), '| driver | the SQLSTATE of its error |')) {
	const path = code.match(/`error\.(.*?)`/)[1].split('.');
	for (const [driver, run] of Object.entries(drivers).filter(([driver]) => names.includes(driver)))
		for (const [, state, , examples] of rows(page('clients'), '| case | SQLSTATE | condition | examples |'))
			for (const [, example] of examples.matchAll(/`(.*?)`/g)) {
				const error = await run(example).then(() => undefined, error => error);
				const found = path.reduce((value, key) => value?.[key], error);
				shows(`${driver}: ${example}: ${found}`, found === state);
			}
}
await sql.end();

// Domains over domains, and their arrays.
await begin();
await pool.query(`
	CREATE DOMAIN any_order AS gid(o);
	CREATE DOMAIN order_id AS any_order;
	CREATE TABLE baskets (id order_id DEFAULT gid_new('o'), ids order_id[]);
	INSERT INTO baskets SELECT o, ARRAY[o, NULL] FROM gid_new('o') o`);
const isRight = ({ id, ids }) => /^.{10}-.{13}$/.test(id) && ids.length === 2 && ids[0] === id && ids[1] === null;
const typed = new pg.Pool({ types: await gidTypes(pg) });
shows('node-postgres: an array of a domain', isRight((await typed.query('SELECT id, ids FROM baskets')).rows[0]));
await pool.query('CREATE SCHEMA decoys');
execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '../gid/examples/decoys.sql']);
const called = await gidTypes(pg, { options: '-c search_path=decoys,pg_catalog,public' }).then(() => undefined, error => error);
shows(`gidTypes calls no function or operator of another role: ${called}`, called === undefined);
await pool.query('DROP SCHEMA decoys CASCADE');
const elsewhere = await gidTypes(pg, { port: 1 }).catch(error => error);
shows('gidTypes connects where its config says', ['ECONNREFUSED', 'ENOENT'].includes(elsewhere.code));
const since = 'SELECT FROM baskets WHERE id >= $1', hourAgo = new Date(Date.now() - 3_600_000);
for (const time of [hourAgo, hourAgo.toISOString()]) {
	const error = await pool.query(since, [time]).catch(error => error);
	shows(`node-postgres: a time without a cast: ${error.message}`, error.code === '22P02');
}
// postgres.js reads NULL in an array of a type that it does not know as this text, also in one of uuid.
const again = postgres();
const [{ id, ids, uuids }] = await again`SELECT id, ids, ARRAY[gen_random_uuid(), NULL] AS uuids FROM baskets`;
shows('postgres.js: an array of a domain', ids.length === 2 && ids[0] === id && ids[1] === uuids[1]);
const refused = await again`SELECT FROM baskets WHERE id >= ${hourAgo.toISOString()}`.catch(error => error);
shows(`postgres.js: a time in a string: ${refused.message}`, refused.code === '22P02');
process.exit();
