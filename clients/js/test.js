// Shows what is JavaScript's own in Gid, and compares pg-gid with the
// server, which libpq's variables name.  The rest is in ../conformance.
import assert from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { webcrypto as crypto } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { Gid } from 'pg-gid';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const vectors = join(here, '../../vectors');

function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
	if (!holds) process.exitCode = 1;
}

// The error that a call ends in, if any.
function error(call) {
	try {
		call();
	} catch (e) {
		return e;
	}
}

const hex = bytes => Buffer.from(bytes).toString('hex');
const is = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Is it a RangeError that ends in the server's reason, or none where there is none?
function isReason(e, reason) {
	return reason === null ? e === undefined : e instanceof RangeError && e.message.endsWith(`. ${reason}`);
}

// What the package says that it has.

const { exports, main, types } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const paths = Object.keys(exports).map(path => path === '.' ? './gid' : path);
shows(`every module and its types are there: ${paths.length}`, paths.length >= 2
	&& is([main, types], ['./node.cjs', './gid.d.cts'])
	&& paths.every(path => existsSync(join(here, `${path}.js`)) && existsSync(join(here, `${path}.d.ts`)))
	&& is(exports, Object.fromEntries(paths.map(path => path === './gid'
		? ['.', { import: { types: './gid.d.ts', node: './node.js', default: './gid.js' },
			require: { types: './gid.d.cts', node: './node.cjs', default: './gid.cjs' } }]
		: [path, { import: `${path}.js`, require: `${path}.cjs` }]))));

// Values.

const id = new Gid('A4KfAtmq1H-43VMdfVBbxRrN');
const same = new Gid('WWnWBiNLDdPGn6shGCuJTG');
const later = new Gid('A4KfAtmq1H-43VMdfVBbxRrP');
const log = new Gid('74ggbzxuMf-2uAmM7FwXntwW');

shows('text and compact', is([id.text, String(id), `${id}`, id.compact], [same.text, same.text, same.text, 'WWnWBiNLDdPGn6shGCuJTG']));
shows('JSON', JSON.stringify({ id }) === '{"id":"A4KfAtmq1H-43VMdfVBbxRrN"}');
shows('inspect', inspect([id]) === '[ Gid(A4KfAtmq1H-43VMdfVBbxRrN) ]');
shows('bytes', hex(id.bytes) === 'ef01a1ff6aaa00ef0f2c194cee533387' && id.bytes.constructor === Uint8Array);
const around = new Uint8Array([1, 2, 3, ...id.bytes, 4]);
shows('from a part of a buffer, from a Buffer, from another realm, of itself', [
	around.subarray(3, 19), Buffer.from(id.bytes), vm.runInNewContext(`new Uint8Array([${id.bytes}])`), id,
].every(value => new Gid(value).equals(id)));
id.bytes[0] = 0;
around.fill(0);
shows('an id keeps its own bytes', id.prefix === 239);
shows('time', id.time.toISOString() === '2026-11-21T18:42:22.848Z');
shows('null where the server has NULL', is([log.instant, log.medallion, log.node, log.offset], [null, null, null, null]));
shows('equals', id.equals(same) && !id.equals(later) && !id.equals(id.text) && !id.equals(undefined));
assert.deepStrictEqual([id], [same]);
shows('equal and different to what compares properties', error(() => assert.deepStrictEqual(id, later)) instanceof assert.AssertionError);
shows('ordered', log < id && id < later && later > id && is([later, id, log].sort(), [log, id, later]));
shows('never changed, nor extended', ['text', 'kind', 'time', 'note'].every(name => error(() => id[name] = 'c') instanceof TypeError) && error(() => delete id.text) instanceof TypeError);
shows('map(Gid.parse), filter(Gid.isValid)', is(Array(300).fill(id.text).map(Gid.parse).filter(Gid.isValid), Array(300).fill(id)) && Gid.isValid(...[id, 'c']) === false);
shows('TypeError for what is neither text nor bytes', [undefined, null, 1, 1n, [...id.bytes], {}, Object.create(null), Symbol('o'),
	new Uint16Array(16), id.bytes.buffer].every(no => error(() => new Gid(no)) instanceof TypeError));

class OrderId extends Gid {
	note = 'paid';
}
const order = OrderId.new('o');
shows('a subclass, with a field', order instanceof OrderId && inspect(order) === `OrderId(${order})` && order.equals(new Gid(order)) && order.note === 'paid');
shows('its ids and bounds', [OrderId.parse(id, 'o'), OrderId.lowerBound('o', 0n), OrderId.upperBound('o', 0n)].every(id => id instanceof OrderId)
	&& (order.note = 'sent') === order.note && error(() => order.text = id.text) instanceof TypeError);

const { Gid: Copy } = await import('./gid.js?copy');
const copied = new Copy(id.text);
shows('two copies of the module', !(copied instanceof Gid) && id.equals(copied) && copied.equals(id) && !later.equals(copied)
	&& new Gid(copied).equals(id) && new Gid(copied) instanceof Gid && Gid.isValid(copied, 'o'));
const shape = { text: id.text };
const forged = Object.assign(Object.create(Gid.prototype), { text: "' OR true --" });
shows('only a Gid is a Gid', !id.equals(shape) && [shape, Gid.prototype].every(no => error(() => new Gid(no)) instanceof TypeError)
	&& error(() => new Gid(forged)) instanceof RangeError && !Gid.isValid(forged));

// A kind that the program expects.

const wrongKind = 'gid of kind "log" does not match type gid(o). '
	+ 'The value "74ggbzxuMf-2uAmM7FwXntwW" is the id of a "log". Check the value, or the kind that the program expects.';
for (const [name, parse] of [['new Gid', (value, kind) => new Gid(value, kind)], ['Gid.parse', (value, kind) => Gid.parse(value, kind)]]) {
	shows(`${name} with a kind`, ['o', 'O', 239, '239', undefined].every(kind => [id, id.text, id.compact, id.bytes].every(value => parse(value, kind).equals(id))));
	const wrong = error(() => parse(log.text, 'o'));
	shows(`${name}: another kind`, wrong instanceof RangeError && wrong.message === wrongKind
		&& error(() => parse(id, 240)).message.startsWith('gid of kind "o" does not match type gid(p). ')
		&& error(() => parse(id, 200)).message.startsWith('gid of kind "o" does not match type gid(200). '));
	shows(`${name}: no kind`, error(() => parse(id, 'orders')).message.startsWith('unrecognized gid kind: "orders". ')
		&& error(() => parse(id, null)) instanceof TypeError);
	shows(`${name}: no gid`, error(() => parse('x', 'o')).message.startsWith('invalid input syntax for type gid: "x". '));
}
shows('isValid', [id, id.text, id.compact, id.bytes, copied].every(value => Gid.isValid(value) && Gid.isValid(value, 'O') && Gid.isValid(value, 239) && !Gid.isValid(value, 'c')));
const trap = new Proxy({}, { get() { throw new Error('read'); } });
shows('isValid: no gid', ['', 'x', `${id} `, undefined, null, 1, 1n, {}, shape, trap, Symbol('o'), new Uint8Array(16), [...id.bytes]].every(value =>
	Gid.isValid(value) === false && Gid.isValid(value, 'o') === false));
shows('isValid: no kind', error(() => Gid.isValid(id, 'orders')) instanceof RangeError && error(() => Gid.isValid('x', 128.5)) instanceof RangeError
	&& error(() => Gid.isValid(id, null)) instanceof TypeError);

// Kinds and times.

const reasonOf = call => error(call).message.split(/\. (.*)/s)[1];
shows('kinds by number, and folded', is([128, 254, 'VOLUME', 'O', '200'].map(kind => Gid.lowerBound(kind, 0n).prefix), [128, 254, 128, 239, 200]));
shows('numbers that are no kind', [127, 255, -1, 128.5, NaN, 2 ** 70].every(no => isReason(error(() => Gid.new(no)), reasonOf(() => Gid.new('')))));
shows('TypeError for what is neither name nor number', [undefined, null, true, 128n, ['o']].every(no => error(() => Gid.new(no)) instanceof TypeError));
shows('TypeError for what is no time', [null, 1795286542848, '2026-01-01', {}].every(no => error(() => Gid.new('o', no)) instanceof TypeError)
	&& error(() => Gid.lowerBound('o')) instanceof TypeError);
shows('RangeError for a Date that is invalid', [Gid.new, Gid.lowerBound, Gid.upperBound].every(call => error(() => call.call(Gid, 'o', new Date(NaN))) instanceof RangeError));
shows('a Date is its microseconds', [-1, 0, 1, 1795286542848, 8.64e15, -8.64e15].every(ms => ['lowerBound', 'upperBound'].every(bound =>
	Gid[bound]('o', new Date(ms)).equals(Gid[bound]('o', BigInt(ms) * 1000n)))));
shows('lowerBound accepts a Date of another realm', Gid.lowerBound('o', vm.runInNewContext('new Date(1795286542848)')).equals(Gid.lowerBound('o', id.time)));
shows('beyond any time', Gid.lowerBound('o', 10n ** 30n).text === 'A6WKt9GwpB-1111111111111'
	&& Gid.lowerBound('o', -(10n ** 30n)).equals(Gid.lowerBound('o', 0n)));

// Minting.

// The part of an id that only grows.
const numberOf = id => (BigInt(id.time.getTime()) * 1000n << 54n) + BigInt.asUintN(64, BigInt(`0x${hex(id.bytes)}`));
const microsecondOf = id => numberOf(id) >> 54n;
shows('of a Date', microsecondOf(Gid.new('o', new Date(981173106789))) === 981173106789000n);
const { now } = Date;
const { performance } = globalThis;
[Date.now, globalThis.performance] = [() => 4e12, { timeOrigin: 4e12, now: () => 0.9995 }];	// the last microsecond
crypto.getRandomValues = array => array.fill(2 ** 32 - 1);
const { Gid: Standing } = await import('./gid.js?standing');
const [end, over] = [Standing.new('o'), Standing.new('o')];
[Date.now, globalThis.performance] = [now, performance];
delete crypto.getRandomValues;
shows('the random part runs over into the next millisecond', is([hex(end.bytes), hex(over.bytes)], ['ef03a352944000fff9ffffffffffffff', 'ef03a352944001ff0000000000000000']));

// The program.

const run = (args, input = '') => spawnSync(join(here, 'cli.js'), args, { input, encoding: 'utf8' });
const outcome = (args, input) => { const { status, stdout, stderr } = run(args, input); return [status, stdout, stderr]; };
const usage = run(['--help']).stdout;
shows('pg-gid --help', usage.startsWith('Usage: pg-gid ') && is(outcome(['--help']), [0, usage, '']));
shows('pg-gid with an unknown option', is(outcome(['--xml', id.text]), [2, '', `pg-gid: unknown option --xml\n\n${usage}`]));
const some = run([id.text, 'x', log.compact]);
shows('pg-gid with an id that is not valid', some.status === 1 && some.stdout.match(/^text .*$/mg).join() === `text        | ${id},text        | ${log}`
	&& some.stderr === `pg-gid: ${error(() => new Gid('x')).message}\n`);
const terminal = spawnSync('script', ['-qec', join(here, 'cli.js'), '/dev/null'], { encoding: 'utf8' });
shows('pg-gid in a terminal', terminal.stdout.replaceAll('\r', '') === usage);
const piped = spawnSync('sh', ['-c', '"$0" | head -n 1', join(here, 'cli.js')], { input: `${id}\n`.repeat(5000), encoding: 'utf8' });
shows('pg-gid into a pipe that is closed', is([piped.stdout, piped.stderr], ['kind        | o\n', '']));
shows('pg-gid without ids', is(outcome([]), [0, '', '']));

// The module once more, with a state of its own: a clock that was set, and the other that was not.
const { Gid: Another } = await import('./gid.js?another');
Another.new('o');
for (const hours of [1, 2]) {
	Date.now = () => now() + hours * 3_600_000;
	const [start, ids, stop] = [Date.now(), Array.from({ length: 10_000 }, () => Another.new('o')), Date.now()];
	shows(`a clock that is ${hours} h off tells microseconds`, start <= ids[0].time && ids.at(-1).time <= stop
		&& new Set(ids.map(id => microsecondOf(id) % 1000n)).size > 300);
}
Date.now = now;

// The server.

const folder = mkdtempSync(join(tmpdir(), 'gid-'));
try {
	const made = execFileSync('psql', ['-XqAt'], { encoding: 'utf8', input: `SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS gid;
		SELECT CASE n % 3 WHEN 0 THEN gid_new(kind) WHEN 1 THEN gid_random(kind) ELSE gid_random(kind, timestamptz 'epoch' + random() * interval '8900 years') END
		FROM generate_series(1, 400) n, LATERAL (SELECT (128 + n % 127)::text AS kind) k;` }).trim().split('\n');
	const explained = [...made, ...readFileSync(join(vectors, 'edges.tsv'), 'utf8').split('\n').slice(1, -1).map(line => line.split('\t')[0])];
	writeFileSync(join(folder, 'explained.txt'), explained.join('\n') + '\n');
	const at = Date.now();
	const psql = (options, query) => execFileSync('psql', ['-Xq', ...options], { cwd: folder, encoding: 'utf8', input: `SET timezone = 'UTC';
		CREATE TEMPORARY TABLE explained (line serial, id gid);
		\\copy explained (id) FROM 'explained.txt'
		${query};` });
	const withoutAge = text => text.replace(/^age .*\n|"age":"[^"]*",/mg, '');
	const byJson = psql(['-At'], 'SELECT row_to_json(e) FROM explained, gid_explain(id) e ORDER BY line').trim().split('\n');
	shows('explain is a plain object', Object.getPrototypeOf(id.explain()) === Object.prototype);
	const [{ now: dateNow }, performanceThen] = [Date, globalThis.performance];
	Date.now = () => at;
	globalThis.performance = { now: () => 0 };
	const near = [0, 1, -1, 1000, 59_999, 3_600_000, 86_399_999, 86_400_000, 86_400_001, -86_400_000, -86_400_001, 172_800_000]
		.map(ms => Gid.new('o', BigInt(at - ms) * 1000n).explain());
	shows('ages of less and of more than a day', is(near.map(({ age }) => age), ['00:00:00', '00:00:00.001', '-00:00:00.001', '00:00:01', '00:00:59.999', '01:00:00',
		'23:59:59.999', '1 day', '1 day 00:00:00.001', '-1 days', '-1 days -00:00:00.001', '2 days']));
	shows('the future', near.filter(({ remarks }) => remarks.endsWith('; the time is in the future')).map(({ age }) => age).join() === '-00:00:00.001,-1 days,-1 days -00:00:00.001');
	Date.now = dateNow;
	globalThis.performance = performanceThen;
	const byPsql = psql(['-x', '-P', 'footer=off'], 'SELECT e.* FROM explained, gid_explain(id) e ORDER BY line').replace(/^-\[ RECORD.*\n/, '').replace(/^-\[ RECORD.*$/mg, '').trimEnd();
	shows('pg-gid prints what psql shows', withoutAge(run([], `\n ${explained.join(' \n\t')}`).stdout).trimEnd() === withoutAge(byPsql));
	shows('of several arguments', withoutAge(run(explained.slice(0, 300)).stdout) === withoutAge(run([], explained.slice(0, 300).join(' ')).stdout));
	shows('pg-gid --json', withoutAge(run(['--json'], explained.join('\n')).stdout) === byJson.map(json => `${withoutAge(json)}\n`).join(''));
} finally {
	rmSync(folder, { recursive: true });
}
