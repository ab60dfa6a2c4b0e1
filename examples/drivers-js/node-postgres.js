// node-postgres: ids are strings; with gidTypes, arrays of ids are arrays.
import pg from 'pg';
import { Gid } from 'pg-gid';
import { gidTypes } from 'pg-gid/pg';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
const config = {}; // libpq's variables say where the server is
const pool = new pg.Pool({ ...config, types: await gidTypes(pg, config) });
const rows = async (query, ...values) => (await pool.query(query, values)).rows;
const elsewhere = await gidTypes(pg, { ...config, port: 1 }).catch(error => error);
shows('gidTypes connects where its config says', ['ECONNREFUSED', 'ENOENT'].includes(elsewhere.code));

const insert = `INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id`;
const [tea, milk] = (await rows(insert, ['tea', 'milk'])).map(row => row.id);
shows('ids are strings, in order', Gid.isValid(tea, 'o') && tea < milk);
const [{ ids, both, nested }] = await rows(`
	SELECT array_agg(id ORDER BY id) AS ids, $1::gid[] AS both, ARRAY[array_agg(id)] AS nested FROM orders`, [tea, null]);
shows('arrays of ids', ids.join() === [tea, milk].join() && nested[0].length === 2);
shows('NULL in an array', both[0] === tea && both[1] === null);
const juice = Gid.new('o');
const [{ id }] = await rows(`INSERT INTO orders VALUES ($1, 'juice') RETURNING id`, juice);
shows('an id made by the program', id === juice);
const hourAgo = new Date(Date.now() - 3_600_000);
shows('a range of time', (await rows('SELECT FROM orders WHERE id >= $1::timestamptz', hourAgo)).length === 3);
await pool.end();
