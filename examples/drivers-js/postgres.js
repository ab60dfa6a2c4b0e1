// postgres.js: ids are strings, and need no set-up.
import { Gid } from 'pg-gid';
import postgres from 'postgres';

const shows = (what, holds) => console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
// libpq's variables say where the server is, but not that PGHOST is a folder.
const config = process.env.PGHOST.startsWith('/') ? { path: `${process.env.PGHOST}/.s.PGSQL.${process.env.PGPORT}` } : {};
const sql = postgres(config);

const many = Array.from({ length: 1000 }, (_, n) => ({ id: Gid.new('g'), item: `item ${n}` }));
const returned = await sql`INSERT INTO goods ${sql(many)} RETURNING id, gid_timestamp(id) AS time`;
shows('a thousand ids', returned.every(({ id, time }, n) => id === many[n].id && +time === +Gid.time(id)));
const [tea, milk] = many.map(({ id }) => id);
const [{ ids }] = await sql`SELECT array_agg(id ORDER BY id) AS ids FROM goods WHERE id = ANY (${[tea, milk]})`;
shows('an array of ids', ids.join() === [tea, milk].join());
const [{ nulls }] = await sql`SELECT ${[tea, null]}::gid[] = ARRAY[${tea}::gid, NULL] AS nulls`;
shows('NULL in an array of parameters', nulls);
const [{ kind }] = await sql`SELECT gid_kind(${tea}) AS kind`;
shows('an id as an argument', kind === 'g');
const hourAgo = new Date(Date.now() - 3_600_000);
shows('a Date is a time', (await sql`SELECT FROM goods WHERE id >= ${hourAgo}`).length === 1000);
await sql.end();
