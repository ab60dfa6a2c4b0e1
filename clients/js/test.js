// Shows what is JavaScript's own in Gid, and compares pg-gid with the server, which libpq's variables name.  What all
// clients do is in ../conformance.
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

const id = Gid.parse('A4KfAtmq1H-43VMdfVBbxRrN');
const same = Gid.parse('WWnWBiNLDdPGn6shGCuJTG');
const later = Gid.parse('A4KfAtmq1H-43VMdfVBbxRrP');
const log = Gid.parse('74ggbzxuMf-2uAmM7FwXntwW');
const bytes = Gid.bytes(id);

shows('an id is its text: ===, Map, Set, JSON', id === same && id === 'A4KfAtmq1H-43VMdfVBbxRrN' && new Set([id, same, later]).size === 2
	&& new Map([[id, 1]]).get(same) === 1 && is({ id }, { id: 'A4KfAtmq1H-43VMdfVBbxRrN' }) && inspect([id]) === "[ 'A4KfAtmq1H-43VMdfVBbxRrN' ]");
const around = new Uint8Array([1, 2, 3, ...bytes, 4]);
const fromBytes = [around.subarray(3, 19), Buffer.from(bytes), vm.runInNewContext(`new Uint8Array([${bytes}])`)];
shows('from a part of a buffer, from a Buffer, from another realm', all(fromBytes, value => Gid.fromBytes(value) === id && Gid.fromBytes(value, 'o') === id));
shows('functions can be passed on', is(Array(300).fill(id).filter(Gid.isValid).map(Gid.parse).map(Gid.bytes).map(Gid.fromBytes), Array(300).fill(id)));
const neither = [undefined, null, 1, 1n, [...bytes], {}, Object.create(null), Symbol('o'), new Uint16Array(16), bytes.buffer, new String(id)];
for (const name of Object.keys(Gid).filter(name => !['isValid', 'fromBytes', 'new', 'lowerBound', 'upperBound'].includes(name))) {
	shows(`${name}: TypeError for what is not a string`, rejects(TypeError, [...neither, bytes], no => Gid[name](no)));
	shows(`${name}: RangeError for what is not an id`, rejects(RangeError, ['', 'tea', `${id} `, id.toLowerCase(), id.slice(1)], no => Gid[name](no)));
	shows(`${name}: of the compact text`, is(...[id, Gid.compact(id)].map(text => inspect(Gid[name](text)).replace(/age: .*/, ''))));
}
shows('fromBytes: TypeError for what is not bytes', rejects(TypeError, [...neither, id], no => Gid.fromBytes(no)));

// Kinds and times.

const spelt = ['o', 'O', 239, '239', undefined];
shows('a kind in each spelling', all(spelt, kind => all([id, Gid.compact(id)], text => Gid.parse(text, kind) === id && Gid.isValid(text, kind))
	&& Gid.fromBytes(bytes, kind) === id));
shows('another kind', rejects(RangeError, ['c', 240, '200'], kind => Gid.parse(id, kind)) && rejects(RangeError, ['c'], kind => Gid.fromBytes(bytes, kind))
	&& !Gid.isValid(id, 'c') && !Gid.isValid(...[id, 'c']));
const trap = new Proxy({}, { get() { throw new Error('read'); } });
shows('isValid: no gid', all([...neither, bytes, trap, `${id} `], value => Gid.isValid(value) === false && Gid.isValid(value, 'o') === false));
for (const [name, call] of Object.entries({ new: Gid.new, parse: kind => Gid.parse(id, kind), isValid: kind => Gid.isValid('x', kind) })) {
	shows(`${name}: numbers that are no kind`, rejects(RangeError, [127, 255, -1, 128.5, NaN, 2 ** 70, 'orders'], call));
	shows(`${name}: neither name nor number`, rejects(TypeError, [null, true, 128n, ['o']], call));
}
shows('a kind is required', rejects(TypeError, [undefined], no => Gid.new(no)));
shows('kinds by number', is([128, 254].map(kind => Gid.prefix(Gid.lowerBound(kind, 0n))), [128, 254]));
const { lowerBound, upperBound, new: make } = Gid;
shows('TypeError for what is no time', rejects(TypeError, [null, 1795286542848, '2026-01-01', {}], no => Gid.new('o', no))
	&& rejects(TypeError, [undefined], no => Gid.lowerBound('o', no)));
shows('RangeError for a Date that is invalid', rejects(RangeError, [make, lowerBound, upperBound], call => call('o', new Date(NaN))));
shows('a Date is its microseconds', all([-1, 0, 1, 1795286542848, 8.64e15, -8.64e15], ms => all([lowerBound, upperBound], bound =>
	bound('o', new Date(ms)) === bound('o', BigInt(ms) * 1000n))) && is(Gid.time(Gid.new('o', Gid.time(id))), Gid.time(id)));
shows('also of another realm', lowerBound('o', vm.runInNewContext('new Date(1795286542848)')) === Gid.lowerBound('o', Gid.time(id)));

// The module once more, with a state of its own: a clock that was set, and the other that was not.
const { Gid: Another } = await import('./gid.js?another');
Another.new('o');
const { now } = Date;
for (const hours of [1, 2]) {
	Date.now = () => now() + hours * 3_600_000;
	const [start, ids, stop] = [Date.now(), Array.from({ length: 10_000 }, () => Another.new('o')), Date.now()];
	shows(`a clock that is ${hours} h off tells microseconds`, start <= Gid.time(ids[0]) && Gid.time(ids.at(-1)) <= stop
		&& new Set(ids.map(Gid.bytes).map(bytes => bytes[8] * 256 + bytes[9] >> 6)).size > 300);
}
Date.now = now;

// The program.

const program = join(here, 'cli.js');
const run = (args, input = '') => spawnSync(program, args, { input, encoding: 'utf8' });
const outcome = (args, input) => { const { status, stdout, stderr } = run(args, input); return [status, stdout, stderr]; };
const usage = run(['--help']).stdout;
shows('pg-gid --help', usage.startsWith('Usage: pg-gid ') && is(outcome(['--help']), [0, usage, '']));
shows('pg-gid with an unknown option', is(outcome(['--xml', id]), [2, '', `pg-gid: unknown option --xml\n\n${usage}`]));
const some = run([id, 'x', Gid.compact(log)]);
shows('pg-gid with an id that is not valid', some.status === 1 && is(some.stdout.match(/^text .*$/mg), [`text        | ${id}`, `text        | ${log}`])
	&& some.stderr === `pg-gid: ${error(() => Gid.parse('x')).message}\n`);
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
