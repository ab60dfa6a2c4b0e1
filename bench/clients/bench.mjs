import { createRequire } from 'node:module';
import { Gid } from '../../clients/js/node.js';

const uuid = createRequire(import.meta.url)('uuid');
// Texts in one piece, as they arrive from elsewhere.
const [id, other] = [Gid.new('o'), crypto.randomUUID()].map(text => Buffer.from(text).toString());
const bytes = Gid.bytes(id), otherBytes = uuid.parse(other);
const calls = [() => Gid.new('o'), () => crypto.randomUUID(), () => Gid.parse(id), () => uuid.parse(other),
	() => Gid.fromBytes(bytes), () => uuid.stringify(otherBytes)];
for (let n = 0; n < 30_000; n++) {
	const begin = process.hrtime.bigint();
	for (let i = 0; i < 200; i++) globalThis.kept = calls[n % 6]();
	console.log(String(process.hrtime.bigint() - begin));
}
