#!/usr/bin/env node
// Compares Gid with crypto.randomUUID and npm's uuid: nanoseconds of an operation, of Gid and of the faster of the others,
// as medians of rounds in turn.
import { createRequire } from 'node:module';
import { Gid } from './node.js';

const uuid = await import('uuid').catch(error => {
	console.error(error.message);
	process.exit(77);
});
const COUNT = 1000;
const times = {
	new: [() => Gid.new('o'), () => crypto.randomUUID(), () => uuid.v7()],
	parse: [text => Gid.parse(text), uuid.parse],
	format: [bytes => Gid.fromBytes(bytes), uuid.stringify],
};
console.log(`other\tcrypto.randomUUID (v4) or uuid ${createRequire(import.meta.url)('uuid/package.json').version} (v7)`);
for (const [operation, calls] of Object.entries(times)) {
	const ids = Array.from({ length: COUNT }, () => Gid.new('o')), uuids = ids.map(() => uuid.v7());
	// Texts in one piece, as they arrive from elsewhere.
	const values = operation === 'format' ? [ids.map(Gid.bytes), uuids.map(text => uuid.parse(text))]
		: [ids, uuids, uuids].map(texts => texts.map(text => Buffer.from(String(text)).toString()));
	const rounds = calls.map(() => []);
	for (let round = 0; round < 25; round++) {
		for (const [which, call] of calls.entries()) {
			const start = process.hrtime.bigint();
			for (let n = 0; n < 20 * COUNT; n++) call(values[which][n % COUNT]);
			rounds[which].push(Number(process.hrtime.bigint() - start) / (20 * COUNT));
		}
	}
	const [gid, ...others] = rounds.map(times => times.sort((a, b) => a - b)[12]);
	console.log([operation, gid.toFixed(1), Math.min(...others).toFixed(1)].join('\t'));
}
