// node-postgres: first ids are strings, then, with gidTypes, they are Gid.
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
const config = {}; // libpq's variables say where the server is
let pool = new pg.Pool(config);
const rows = async (query, ...values) => (await pool.query(query, values)).rows;
const error = (...query) => rows(...query).catch(error => error);
await rows(`
	CREATE EXTENSION gid;
	CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL);
	CREATE TABLE copies (LIKE orders);`);

const insert = `INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id`;
const [tea, milk, bread] = (await rows(insert, ['tea', 'milk', 'bread'])).map(row => row.id);
shows('an id is a string, and increases', typeof tea === 'string' && tea < milk && milk < bread);
const [found] = await rows('SELECT item, pg_column_size($1::gid) AS size FROM orders WHERE id = ANY ($2)', milk, [milk]);
shows('an id as a parameter, and an array of them', found.item === 'milk' && found.size === 16);
const [lists] = await rows('SELECT array_agg(id ORDER BY id)::text[] AS cast, array_agg(id) AS uncast FROM orders');
shows('an array in results requires a cast', lists.cast.join() === [tea, milk, bread].join() && typeof lists.uncast === 'string');
const hourAgo = new Date(Date.now() - 3_600_000);
shows('a range of time', (await rows('SELECT FROM orders WHERE id >= $1::timestamptz', hourAgo)).length === 3);
shows('a time requires the cast', (await error('SELECT FROM orders WHERE id >= $1', hourAgo)).code === '22P02');
const [{ bytes }] = await rows('SELECT $1::gid::bytea AS bytes', tea);
shows('the 16 bytes, there and back', (await rows('SELECT item FROM orders WHERE id = $1', bytes))[0].item === 'tea');
for (const format of ['text', 'binary']) {
	const [source, target] = [await pool.connect(), await pool.connect()];
	await target.query('TRUNCATE copies');
	await pipeline(
		source.query(copyTo(`COPY orders TO STDOUT (FORMAT ${format})`)),
		target.query(copyFrom(`COPY copies FROM STDIN (FORMAT ${format})`)));
	source.release();
	target.release();
	shows(`COPY from table to table, ${format}`, (await rows('SELECT FROM orders JOIN copies USING (id, item)')).length === 3);
}
await pool.end();

pool = new pg.Pool({ ...config, types: await gidTypes(pg, config) });
const elsewhere = await gidTypes(pg, { ...config, port: 1 }).catch(error => error);
shows('gidTypes connects where its config says', ['ECONNREFUSED', 'ENOENT'].includes(elsewhere.code));
const [{ ids, both, nested }] = await rows(`
	SELECT array_agg(id ORDER BY id) AS ids, $1::gid[] AS both, ARRAY[array_agg(id)] AS nested FROM orders`, [new Gid(tea), null]);
shows('arrays of Gid', ids.every(id => id instanceof Gid) && ids.join() === [tea, milk, bread].join() && nested[0].length === 3);
shows('NULL in an array', both[0].equals(ids[0]) && both[1] === null);
const [{ time }] = await rows('SELECT gid_timestamp($1) AS time', ids[0]);
shows("the time of a Gid is the server's", +time === +ids[0].time);
const juice = Gid.new('o');
const [made] = await rows(`INSERT INTO orders VALUES ($1, 'juice') RETURNING id`, juice);
shows('an id made by the program', made.id.equals(juice) && JSON.stringify(made) === `{"id":"${juice}"}`);
const range = [Gid.lowerBound('o', juice.time), Gid.upperBound('o', juice.time)];
shows('a range of ids', (await rows('SELECT FROM orders WHERE id >= $1 AND id < $2', ...range)).length > 0);
shows('another kind is rejected', (await error('INSERT INTO orders VALUES ($1)', Gid.new('log'))).code === '22023');
await pool.end();
