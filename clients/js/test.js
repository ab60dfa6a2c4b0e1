// Shows what is JavaScript's own in Gid, and compares pg-gid with the server, which libpq's variables name.  What all
// clients do is in ../conformance.
import assert from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { Gid } from 'pg-gid';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

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

const is = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const all = (values, holds) => values.every(value => holds(value));
const rejects = (type, values, call) => all(values, value => error(() => call(value)) instanceof type);

// Values.

const id = new Gid('A4KfAtmq1H-43VMdfVBbxRrN');
const same = new Gid('WWnWBiNLDdPGn6shGCuJTG');
const later = new Gid('A4KfAtmq1H-43VMdfVBbxRrP');
const log = new Gid('74ggbzxuMf-2uAmM7FwXntwW');

shows('JSON, inspect', is({ id }, { id: id.text }) && inspect([id]) === '[ Gid(A4KfAtmq1H-43VMdfVBbxRrN) ]');
const around = new Uint8Array([1, 2, 3, ...id.bytes, 4]);
const fromBytes = [around.subarray(3, 19), Buffer.from(id.bytes), vm.runInNewContext(`new Uint8Array([${id.bytes}])`), id].map(value => new Gid(value));
around.fill(0);
shows('from a part of a buffer, from a Buffer, from another realm, of itself; with its own bytes', all(fromBytes, value => value.equals(id)));
shows('equals', id.equals(same) && !id.equals(later) && !id.equals(id.text) && !id.equals(undefined));
assert.deepStrictEqual([id], [same]);
shows('equal and different to what compares properties', error(() => assert.deepStrictEqual(id, later)) instanceof assert.AssertionError);
shows('never extended', rejects(TypeError, ['text', 'note'], name => { id[name] = 'c'; }));
shows('filter(Gid.isValid)', is(Array(300).fill(id).filter(Gid.isValid), Array(300).fill(id)));
const neither = [undefined, null, 1, 1n, [...id.bytes], {}, Object.create(null), Symbol('o'), new Uint16Array(16), id.bytes.buffer];
shows('TypeError for what is neither text nor bytes', rejects(TypeError, neither, no => new Gid(no)));

class OrderId extends Gid {
	note = 'paid';
}
const order = OrderId.new('o');
shows('a subclass, with a field', inspect(order) === `OrderId(${order})` && order.equals(new Gid(order)) && order.note === 'paid'
	&& (order.note = 'sent') === order.note && error(() => { order.text = id.text; }) instanceof TypeError);
shows('its ids and bounds', all([order, new OrderId(id, 'o'), OrderId.lowerBound('o', 0n), OrderId.upperBound('o', 0n)], id => id instanceof OrderId));

const { Gid: Copy } = await import('./gid.js?copy');
const copied = new Copy(id.text);
shows('two copies of the module', !(copied instanceof Gid) && id.equals(copied) && copied.equals(id) && !later.equals(copied)
	&& new Gid(copied).equals(id) && new Gid(copied) instanceof Gid);
const shape = { text: id.text };
const forged = Object.assign(Object.create(Gid.prototype), { text: "' OR true --" });
shows('only a Gid is a Gid', !id.equals(shape) && rejects(TypeError, [shape, Gid.prototype], no => new Gid(no))
	&& rejects(RangeError, [forged], no => new Gid(no)));

// Kinds and times.

shows('a kind in each spelling', all(['o', 'O', 239, '239', undefined], kind => all([id, id.text, id.compact, id.bytes, copied], value =>
	new Gid(value, kind).equals(id) && Gid.isValid(value, kind))));
shows('another kind', rejects(RangeError, ['c', 240, '200'], kind => new Gid(id, kind)) && !Gid.isValid(id, 'c') && !Gid.isValid(...[id, 'c']));
const trap = new Proxy({}, { get() { throw new Error('read'); } });
shows('isValid: no gid', all([...neither, forged, shape, trap, `${id} `], value => Gid.isValid(value) === false && Gid.isValid(value, 'o') === false));
for (const [name, call] of Object.entries({ new: Gid.new.bind(Gid), constructor: kind => new Gid(id, kind), isValid: kind => Gid.isValid('x', kind) })) {
	shows(`${name}: numbers that are no kind`, rejects(RangeError, [127, 255, -1, 128.5, NaN, 2 ** 70, 'orders'], call));
	shows(`${name}: neither name nor number`, rejects(TypeError, [null, true, 128n, ['o']], call));
}
shows('a kind is required', rejects(TypeError, [undefined], no => Gid.new(no)));
shows('kinds by number', is([128, 254].map(kind => Gid.lowerBound(kind, 0n).prefix), [128, 254]));
const { lowerBound, upperBound, new: make } = Gid;
shows('TypeError for what is no time', rejects(TypeError, [null, 1795286542848, '2026-01-01', {}], no => Gid.new('o', no))
	&& rejects(TypeError, [undefined], no => Gid.lowerBound('o', no)));
shows('RangeError for a Date that is invalid', rejects(RangeError, [make, lowerBound, upperBound], call => call.call(Gid, 'o', new Date(NaN))));
shows('a Date is its microseconds', all([-1, 0, 1, 1795286542848, 8.64e15, -8.64e15], ms => all([lowerBound, upperBound], bound =>
	bound.call(Gid, 'o', new Date(ms)).equals(bound.call(Gid, 'o', BigInt(ms) * 1000n)))) && is(Gid.new('o', id.time).time, id.time));
shows('also of another realm', lowerBound.call(Gid, 'o', vm.runInNewContext('new Date(1795286542848)')).equals(Gid.lowerBound('o', id.time)));

// The module once more, with a state of its own: a clock that was set, and the other that was not.
const { Gid: Another } = await import('./gid.js?another');
Another.new('o');
const { now } = Date;
for (const hours of [1, 2]) {
	Date.now = () => now() + hours * 3_600_000;
	const [start, ids, stop] = [Date.now(), Array.from({ length: 10_000 }, () => Another.new('o')), Date.now()];
	shows(`a clock that is ${hours} h off tells microseconds`, start <= ids[0].time && ids.at(-1).time <= stop
		&& new Set(ids.map(({ bytes }) => bytes[8] * 256 + bytes[9] >> 6)).size > 300);
}
Date.now = now;

// The program.

const program = join(here, 'cli.js');
const run = (args, input = '') => spawnSync(program, args, { input, encoding: 'utf8' });
const outcome = (args, input) => { const { status, stdout, stderr } = run(args, input); return [status, stdout, stderr]; };
const usage = run(['--help']).stdout;
shows('pg-gid --help', usage.startsWith('Usage: pg-gid ') && is(outcome(['--help']), [0, usage, '']));
shows('pg-gid with an unknown option', is(outcome(['--xml', id.text]), [2, '', `pg-gid: unknown option --xml\n\n${usage}`]));
const some = run([id.text, 'x', log.compact]);
shows('pg-gid with an id that is not valid', some.status === 1 && is(some.stdout.match(/^text .*$/mg), [`text        | ${id}`, `text        | ${log}`])
	&& some.stderr === `pg-gid: ${error(() => new Gid('x')).message}\n`);
const terminal = spawnSync('script', ['-qec', program, '/dev/null'], { encoding: 'utf8' });
shows('pg-gid in a terminal', terminal.stdout.replaceAll('\r', '') === usage);
const piped = spawnSync('sh', ['-c', '"$0" | head -n 1', program], { input: `${id}\n`.repeat(5000), encoding: 'utf8' });
shows('pg-gid into a pipe that is closed', is([piped.stdout, piped.stderr], ['kind        | o\n', '']));
shows('pg-gid without ids', is(outcome([]), [0, '', '']));

// The server.

const texts = readFileSync(join(here, '../../vectors/edges.tsv'), 'utf8').split('\n').slice(1, -1).map(line => line.split('\t')[0]);
const psql = (options, columns) => execFileSync('psql', ['-Xq', ...options], { encoding: 'utf8', env: { ...process.env, PGTZ: 'UTC' },
	input: `SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS gid; SELECT ${columns} FROM unnest('{${texts}}'::gid[]) id, gid_explain(id) e` });
const withoutAge = text => text.replace(/^age .*\n|"age":"[^"]*",/mg, '').trim();
const shown = psql(['-x', '-P', 'footer=off'], 'e.*').replace(/^-\[ RECORD.*$/mg, '');
shows('pg-gid prints what psql shows', withoutAge(run([], `\n ${texts.join(' \n\t')}`).stdout) === withoutAge(shown));
shows('of several arguments', withoutAge(run(texts).stdout) === withoutAge(shown));
shows('pg-gid --json', withoutAge(run(['--json'], texts.join('\n')).stdout) === withoutAge(psql(['-At'], 'row_to_json(e)')));
