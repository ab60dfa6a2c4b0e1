// Answers the questions of doc/format.md, a line for each line of standard input.
import { createInterface } from 'node:readline';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Gid } from './node.js';

const hex = bytes => Buffer.from(bytes).toString('hex');
const text = data => Buffer.from(data, 'hex').toString();
const ids = (kind, count) => Array.from({ length: count }, () => Gid.new(kind).text);

function answered(call) {
	try {
		return `ok\t${call()}`;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return `error\t${hex(error.message)}`;
	}
}

const { now } = Date, { performance } = globalThis;

const operations = {
	text: (data, kind) => answered(() => Gid.parse(text(data), kind)),
	bytes: data => answered(() => new Gid(Buffer.from(data, 'hex'))),
	valid: (data, kind) => Gid.isValid(text(data), kind),
	read(value) {
		const id = new Gid(value);
		return [id.text, hex(id.bytes), id.compact, id.kind, id.prefix, id.time.getTime(),
			...[id.instant, id.node, id.medallion, id.offset].map(field => field ?? '-')].join('\t');
	},
	explain: value => JSON.stringify(new Gid(value).explain()),
	kind: name => answered(() => Gid.lowerBound(text(name), 0n).prefix),
	lower: (kind, instant) => Gid.lowerBound(kind, BigInt(instant)),
	upper: (kind, instant) => Gid.upperBound(kind, BigInt(instant)),
	compare(a, b) {
		[a, b] = [new Gid(a), new Gid(b)];
		if (a.equals(b)) return a.text === b.text && a <= b && a >= b && !(a < b || a > b) ? '=' : '?';
		return a < b && a <= b ? '<' : a > b && a >= b ? '>' : '?';
	},
	sort: (...values) => values.map(value => new Gid(value)).sort().join('\t'),
	new: (kind, instant) => answered(() => Gid.new(kind, instant === undefined ? undefined : BigInt(instant))),
	mint: (kind, count) => ids(kind, Number(count)).join('\t'),
	clock(instant) {
		Date.now = instant === '-' ? now : () => Math.floor(Number(instant) / 1000);
		const within = instant === '-' ? 0 : Number(instant) % 1000 / 1000;
		globalThis.performance = instant === '-' ? performance : { now: () => within };
		return 'ok';
	},
	async threads(kind, number, count) {
		const minted = await Promise.all(Array.from({ length: Number(number) }, () => new Promise((resolve, reject) => {
			new Worker(new URL(import.meta.url), { workerData: [kind, Number(count)] }).on('message', resolve).on('error', reject);
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
