// gid from node-postgres: the default, RETURNING, parameters, arrays, times,
// many rows at once, and COPY.  First with nothing set up, when an id is a
// string, as it is printed, and then with a class for ids.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

// The same config for all: it is empty, because libpq's variables say where the server is.
const config = {};
const setUp = new pg.Client(config);
await setUp.connect();
await setUp.query(`
	CREATE EXTENSION gid;
	CREATE TABLE orders (
		id gid(o) PRIMARY KEY DEFAULT gid_new('o'),
		item text NOT NULL
	);
	CREATE TABLE copies (LIKE orders);`);
await setUp.end();

let pool = new pg.Pool(config);

// The first row of a query.
async function one(query, ...values) {
	return (await pool.query(query, values)).rows[0];
}

const { id: tea } = await one(`INSERT INTO orders (item) VALUES ($1) RETURNING id`, 'tea');
const { id: milk } = await one(`INSERT INTO orders (item) VALUES ($1) RETURNING id`, 'milk');
shows('an id by default, and returned', /^[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}$/.test(tea));
shows('ids increase, as strings too', tea < milk);

// A string is sent without a type, and the server takes it from the column.
const found = await one(`SELECT item FROM orders WHERE id = $1`, milk);
shows('an id as a parameter', found.item === 'milk');

// Where there is no column, the type is written out.
const { size } = await one(`SELECT pg_column_size($1::gid) AS size`, tea);
shows('an id as a parameter, with a cast', size === 16);

// A Buffer is sent in binary: the 16 bytes.
const { bytes } = await one(`SELECT $1::gid::bytea AS bytes`, tea);
const { id: same } = await one(`SELECT id FROM orders WHERE id = $1`, bytes);
shows('an id as a parameter, in binary', bytes.length === 16 && same === tea);

// Ids have milliseconds, as a Date has.  A Date is sent without a type too,
// and compared with an id the server would take it for one: so it needs the cast.
await new Promise(resolve => setTimeout(resolve, 5));
const { id: bread } = await one(`INSERT INTO orders (item) VALUES ('bread') RETURNING id`);
const { time } = await one(`SELECT gid_timestamp($1) AS time`, bread);
shows('the time of an id', time instanceof Date && Math.abs(Date.now() - time) < 60_000);
const since = await pool.query(`SELECT id FROM orders WHERE id >= $1::timestamptz`, [time]);
const before = await pool.query(`SELECT id FROM orders WHERE id < $1::timestamptz ORDER BY id`, [time]);
shows('a range of time', since.rows.map(row => row.id).join() === bread &&
	before.rows.map(row => row.id).join() === [tea, milk].join());
const uncast = await pool.query(`SELECT id FROM orders WHERE id >= $1`, [time]).catch(error => error);
shows('a time without its type is rejected', uncast.code === '22P02');

const { count } = await one(`SELECT count(*)::int AS count FROM orders WHERE id = ANY ($1)`, [tea, bread]);
shows('an array of ids as a parameter', count === 2);
// The driver returns what it does not know as a string: right for an id, but
// an array should be read as one of text is.
const { known, unknown } = await one(`
	SELECT array_agg(id ORDER BY id)::text[] AS known, array_agg(id) AS unknown FROM orders`);
shows('an array of ids returned', known.join() === [tea, milk, bread].join() && typeof unknown === 'string');

// Many rows in one statement.  Their ids come in the order of the array.
const many = await pool.query({
	text: `INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id, item`,
	values: [['salt', 'rice', 'oil']],
	rowMode: 'array',
});
const made = many.rows.map(([id]) => id);
shows('many rows at once', many.rows.map(([, item]) => item).join() === 'salt,rice,oil' &&
	made.join() === [...made].sort().join() && new Set(made).size === 3);

// COPY streams from one connection into the other, as text and as binary.
const source = await pool.connect();
const target = await pool.connect();
for (const format of ['text', 'binary']) {
	await target.query('TRUNCATE copies');
	await pipeline(
		source.query(copyTo(`COPY orders TO STDOUT (FORMAT ${format})`)),
		target.query(copyFrom(`COPY copies FROM STDIN (FORMAT ${format})`)));
	const { equal } = await one(`
		SELECT count(*) = 6 AND bool_and(copies.item = orders.item) AS equal
		FROM orders JOIN copies USING (id)`);
	shows(`COPY from table to table, ${format}`, equal === true);
}

// And between the program and the server.
await target.query('TRUNCATE copies');
await pipeline(
	Readable.from([tea, milk].map(id => `${id}\tcopied\n`)),
	target.query(copyFrom(`COPY copies FROM STDIN`)));
const lines = await text(source.query(copyTo(`COPY (SELECT id FROM copies ORDER BY id) TO STDOUT`)));
shows('COPY in and out as text', lines === `${tea}\n${milk}\n`);
source.release();
target.release();

// Set up: the types of a pool, and an id is a Gid, alone and in arrays.
await pool.end();
pool = new pg.Pool({ ...config, types: await gidTypes(pg, config) });
const elsewhere = await gidTypes(pg, { ...config, port: 1 }).catch(error => error);
shows('gidTypes connects where its config says', ['ECONNREFUSED', 'ENOENT'].includes(elsewhere.code));

const { ids } = await one(`SELECT array_agg(id ORDER BY id) AS ids FROM orders WHERE id = ANY ($1)`, [tea, milk, null]);
shows('an array of Gid', ids.every(id => id instanceof Gid) && ids.join() === [tea, milk].join());
const again = await one(`SELECT id, $2::gid[] AS both FROM orders WHERE id = $1`, ids[0], [ids[1], null]);
shows('a Gid as a parameter, and a list of them', again.id.equals(ids[0]) && again.both[0].equals(ids[1]) && again.both[1] === null);
const { same_time } = await one(`SELECT gid_timestamp($1) = $2::timestamptz AS same_time`, ids[0], ids[0].time);
shows('its time is the server\'s', same_time);

// An id can be made here, and a range of time be a range of ids.
const juice = Gid.new('o');
await one(`INSERT INTO orders (id, item) VALUES ($1, 'juice')`, juice);
const range = await pool.query(`SELECT item FROM orders WHERE id >= $1 AND id < $2`,
	[Gid.lowerBound('o', juice.time), Gid.upperBound('o', juice.time)]);
shows('an id made by the program', range.rows.some(row => row.item === 'juice'));
shows('JSON', JSON.stringify(await one(`SELECT id FROM orders WHERE item = 'juice'`)) === `{"id":"${juice}"}`);

// What is wrong is said, with the server's code.
const { log } = await one(`SELECT gid_new('log') AS log`);
const refused = await one(`INSERT INTO orders (id, item) VALUES ($1, 'a log')`, log).catch(error => error);
shows(`a wrong kind is rejected: ${refused?.message}`, refused?.code === '22023');

await pool.end();
