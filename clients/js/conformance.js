// Answers the questions of clients/conformance/README.md, a line for each line of standard input.
import { createInterface } from 'node:readline';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as node from './node.js';

let { Gid } = node;
const hex = bytes => Buffer.from(bytes).toString('hex');
const text = data => Buffer.from(data, 'hex').toString();
const timeOf = instant => instant === undefined ? undefined : BigInt(instant);
const ids = (kind, count, instant) => Array.from({ length: count }, () => Gid.new(kind, timeOf(instant)));

function answered(call) {
	try {
		return `ok\t${call()}`;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return `error\t${hex(error.message)}`;
	}
}

const { now } = Date, { performance, crypto } = globalThis, { getRandomValues } = crypto;
let standing = '-';

// Node has no time of nanoseconds.
const unlessDecimal = call => (kind, instant) => instant?.includes('.') ? 'unsupported' : call(kind, timeOf(instant));

function attempt(call) {
	try {
		call();
	} catch { /* what cannot be changed */ }
}

const operations = {
	text: (data, kind) => answered(() => Gid.parse(text(data), kind)),
	bytes: data => answered(() => Gid.fromBytes(Buffer.from(data, 'hex'))),
	valid: (data, kind) => Gid.isValid(data === '-' ? null : text(data), kind),
	read(value) {
		return [Gid.parse(value), hex(Gid.bytes(value)), Gid.compact(value), Gid.kind(value), Gid.prefix(value), Gid.time(value).getTime(),
			...['instant', 'node', 'medallion', 'offset'].map(name => Gid[name](value) ?? '-')].join('\t');
	},
	json(data) {
		const value = JSON.parse(text(data));
		try {
			return value === null ? 'null' : `ok\t${Gid.parse(value)}`;
		} catch {
			return 'error';
		}
	},
	change(value) {
		attempt(() => Gid.bytes(value).fill(0));
		attempt(() => Gid.time(value).setTime(0));
		attempt(() => { Gid.explain(value).text = 'changed'; });
		for (const name of Object.keys(Gid)) attempt(() => { Gid[name] = () => 'changed'; });
		return operations.read(value);
	},
	explain: value => JSON.stringify(Gid.explain(value)),
	kind: name => answered(() => Gid.prefix(Gid.lowerBound(text(name), 0n))),
	lower: unlessDecimal((kind, time) => Gid.lowerBound(kind, time)),
	upper: unlessDecimal((kind, time) => Gid.upperBound(kind, time)),
	compare(a, b) {
		[a, b] = [Gid.parse(a), Gid.parse(b)];
		if (a === b) return new Set([a, b]).size === 1 && a <= b && a >= b ? '=' : '?';
		return a < b && a <= b ? '<' : a > b && a >= b ? '>' : '?';
	},
	sort: (...values) => values.map(Gid.parse).sort().join('\t'),
	new: unlessDecimal((kind, time) => answered(() => Gid.new(kind, time))),
	mint: (kind, count) => ids(kind, Number(count)).join('\t'),
	clock(instant) {
		standing = instant;
		[Date.now, globalThis.performance] = [now, performance];
		if (instant === '-') return 'ok';
		const ms = Math.floor(Number(instant) / 1000), within = (Number(instant) - ms * 1000 + 0.5) / 1000;
		[Date.now, globalThis.performance] = [() => ms, { now: () => 0 }];
		Gid.explain('A4KfAtmq1H-43VMdfVBbxRrN');	// sees both clocks at the beginning of the millisecond
		globalThis.performance = { now: () => within };
		return 'ok';
	},
	async random(bits) {
		crypto.getRandomValues = bits === '-' ? getRandomValues : array => array.forEach((_, n) => {
			array[n] = n % 2 === 0 ? Number(BigInt(bits) >> 32n << 10n) : Number(BigInt(bits) & 0xFFFFFFFFn);
		});
		globalThis.performance = performance;
		({ Gid } = await import(`./gid.js?random=${bits}`));	// with no random bits that were fetched before
		return operations.clock(standing);
	},
	locale: tag => new Intl.NumberFormat().resolvedOptions().locale.slice(0, 5) === tag.slice(0, 5) ? 'ok' : 'unsupported',
	async threads(kind, number, count, instant) {
		const minted = await Promise.all(Array.from({ length: Number(number) }, () => new Promise((resolve, reject) => {
			new Worker(new URL(import.meta.url), { workerData: [kind, Number(count), instant] }).on('message', resolve).on('error', reject);
		})));
		return minted.flat().join('\t');
	},
	fork: () => 'unsupported',
	signals: () => 'unsupported',	// handlers run between two turns of the event loop
};

if (isMainThread) {
	for await (const line of createInterface({ input: process.stdin })) {
		const [operation, ...fields] = line.split('\t');
		console.log(String(await operations[operation](...fields)));
	}
} else
	parentPort.postMessage(ids(...workerData));
