// Identifiers of PostgreSQL's extension gid: 16 bytes that contain their kind and their creation time.  This module
// imports nothing, so that a browser can load it as it is.  The modules next to it are for drivers and ORMs.

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Uint8Array(128);
[...DIGITS].forEach((digit, value) => VALUES[digit.charCodeAt(0)] = value);
const CANONICAL = /^[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}$/;
const COMPACT = /^[1-9A-HJ-NP-Za-km-z]{22}$/;
// Digits are handled by five: 58 ** 5 is below 2 ** 30.  Times such a group, 16 bits are an exact number.
const GROUP = 58 ** 5;

const NAMES = new Map([[0x80, 'volume'], [0xA0, 'log'], [0xC0, 'segment']]);
for (let n = 0; n < 26; n++) NAMES.set(0xE1 + n, String.fromCharCode(97 + n));
const PREFIXES = new Map();
for (let prefix = 128; prefix <= 254; prefix++) PREFIXES.set(String(prefix), prefix);
for (const [prefix, name] of NAMES) PREFIXES.set(name, prefix);

const nameOfKind = prefix => NAMES.get(prefix) ?? String(prefix);

const MAX_MS = 2 ** 48 - 1;
const OTHER_PAYLOAD = 255;	// in byte 7, if the payload is not a muid; no kind has this prefix
// Text has the order of the bytes.  So a text is an id if both its parts are within those of these.
const FIRST = textOf(128, 0, 0, 0, 0);
const LAST = textOf(255, MAX_MS, 255, 2 ** 32 - 1, 2 ** 32 - 1);
const [FIRST_COMPACT, LAST_COMPACT] = [FIRST, LAST].map(compactOf);

// An id is its canonical text, a string, as a uuid is.  So ===, Map, Set, JSON and sorting need nothing.  These functions
// check the text that they get, and do not use "this", so that they can be passed on: ids.map(Gid.time).
export const Gid = Object.freeze({
	// texts.map(Gid.parse) passes three arguments, of which the second is not a kind.
	parse: (text, kind, array) => checked(canonical(text), array === undefined ? kind : undefined),

	isValid(value, kind, array) {
		const prefix = kind === undefined || array !== undefined ? undefined : prefixOf(kind);
		try {
			const text = canonical(value);
			return prefix === undefined || wordsOf(text).prefix === prefix;
		} catch {
			return false;
		}
	},

	fromBytes: (bytes, kind, array) => checked(fromBytes(bytes), array === undefined ? kind : undefined),

	// What an id contains.

	bytes(id) {
		const { prefix, ms, byte7, high, low } = partsOf(id);
		const view = new DataView(new ArrayBuffer(16));
		view.setUint8(0, prefix);
		view.setUint16(1, ms / 2 ** 32);
		view.setUint32(3, ms);
		view.setUint8(7, byte7);
		view.setUint32(8, high);
		view.setUint32(12, low);
		return new Uint8Array(view.buffer);
	},

	compact: id => compactOf(canonical(id)),
	prefix: id => partsOf(id).prefix,
	kind: id => nameOfKind(partsOf(id).prefix),
	time: id => new Date(partsOf(id).ms),
	instant: id => mintedPartsOf(id)?.instant ?? null,
	node: id => mintedPartsOf(id)?.node ?? null,
	medallion: id => mintedPartsOf(id)?.medallion ?? null,
	offset: id => mintedPartsOf(id)?.offset ?? null,

	// The keys and the values of row_to_json(gid_explain(id)) on the server, in UTC.
	explain(id) {
		const text = canonical(id);
		const { prefix, ms, byte7, high, low } = wordsOf(text);
		const { instant, node, medallion, offset } = mintedPartsOf(text) ?? { instant: null, node: null, medallion: null, offset: null };
		const time = BigInt(ms) * 1000n, now = Date.now();
		const age = BigInt(now) * 1000n + BigInt(microWithin(now)) - time;
		const hex = [...Gid.bytes(text)].map(byte => byte.toString(16).padStart(2, '0')).join('');
		const upper = (number, count) => number.toString(16).toUpperCase().padStart(count, '0');
		return {
			kind: nameOfKind(prefix), prefix,
			time: timestampOf(time),
			age: intervalOf(age),
			instant: instant === null ? null : timestampOf(instant),
			node, medallion,
			gid_offset: offset,
			transaction: instant === null ? null : textOf(prefix, ms, byte7, high, low - offset),
			text, compact: compactOf(text),
			uuid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
			muid: instant === null ? null : `${upper(instant, 13)}-${upper(0x10000000000 + medallion, 11)}-${upper(offset, 8)}`,
			remarks: [
				prefix === 255 && 'prefix 255 is not a kind',
				byte7 + high + low === 0 ? 'a bound, not the id of anything'
					: instant === null ? 'no instant: not minted by gid_new'
					: 'node and medallion are random unless gid.node was set',
				age < 0n && 'the time is in the future',
			].filter(Boolean).join('; '),
		};
	},

	// Ids and bounds that the program makes.

	new(kind, at) {
		const prefix = prefixOf(kind);
		if (at === undefined) {
			tick();
			return textOf(prefix, last.ms, OTHER_PAYLOAD, last.high, last.low);
		}
		const instant = instantOf(at);
		return textOf(prefix, Number(instant / 1000n), OTHER_PAYLOAD, withRandom(Number(instant % 1000n)), random());
	},

	lowerBound: (kind, time) => boundOf(kind, microsecondsOf(time)),
	upperBound: (kind, time) => boundOf(kind, microsecondsOf(time) + 1n),
});

function boundOf(kind, instant) {
	const ms = (instant + 999n) / 1000n;	// towards zero, and below it there is not an id
	return textOf(prefixOf(kind), Math.min(Math.max(Number(ms), 0), MAX_MS + 1), 0, 0, 0);
}

const partsOf = id => wordsOf(canonical(id));

// The parts that only ids of the server's gid_new have; else undefined.
function mintedPartsOf(id) {
	const { prefix, ms, byte7, high, low } = partsOf(id);
	const micro = high >>> 22;
	if (byte7 !== prefix || byte7 === OTHER_PAYLOAD || micro > 999) return undefined;
	const medallion = (high << 2 | low >>> 30) & 0xFFFFFF;
	return { instant: BigInt(ms) * 1000n + BigInt(micro), node: medallion >> 14, medallion, offset: low & 0x3FFFFFFF };
}

// The text is two numbers: the kind and the milliseconds, and the rest: byte 7 and two words of 32 bits.
function textOf(prefix, ms, byte7, high, low) {
	const [time, second] = divided(ms);
	const [carry, b] = divided(second + prefix * (2 ** 48 % GROUP));
	const a = time + carry + prefix * Math.floor(2 ** 48 / GROUP);
	const [upper, rest] = divided(byte7 * 2 ** 32 + high);
	const [middle, next] = divided(rest * 2 ** 16 + (low >>> 16));
	const [lower, e] = divided(next * 2 ** 16 + (low & 0xFFFF));
	const [c, d] = divided((upper * 2 ** 16 + middle) * 2 ** 16 + lower);
	return `${five(a)}${five(b)}-${five(c).slice(2)}${five(d)}${five(e)}`;
}

function divided(number) {
	const quotient = Math.floor(number / GROUP);
	return [quotient, number - quotient * GROUP];
}

// Five digits.
function five(group) {
	const a = group / 58 | 0, b = a / 58 | 0, c = b / 58 | 0, d = c / 58 | 0;
	return DIGITS[d] + DIGITS[c - d * 58] + DIGITS[b - c * 58] + DIGITS[a - b * 58] + DIGITS[group - a * 58];
}

function wordsOf(text) {
	const [upper, lower] = joined(groupOf(text, 0, 5), groupOf(text, 5, 10));
	const [rest, low] = joined(groupOf(text, 11, 14) * GROUP + groupOf(text, 14, 19), groupOf(text, 19, 24));
	return { prefix: upper >>> 16, ms: (upper & 0xFFFF) * 2 ** 32 + lower, byte7: Math.floor(rest / 2 ** 32), high: rest >>> 0, low };
}

// A number before a group: its bits above 32, and the other 32.
function joined(number, group) {
	const low = (number & 0xFFFF) * GROUP + group;
	const middle = (number / 2 ** 16 & 0xFFFF) * GROUP + Math.floor(low / 2 ** 16);
	const high = Math.floor(number / 2 ** 32) * GROUP + Math.floor(middle / 2 ** 16);
	return [high, (middle & 0xFFFF) * 2 ** 16 + (low & 0xFFFF)];
}

// The number that up to five digits are.
function groupOf(text, from, to) {
	let number = 0;
	for (let n = from; n < to; n++) number = number * 58 + VALUES[text.charCodeAt(n)];
	return number;
}

// The compact text is one number.
function compactOf(text) {
	let number = numberOf(text.slice(0, 10)) << 72n | numberOf(text.slice(11)), compact = '';
	for (; compact.length < 25; number /= BigInt(GROUP)) compact = five(Number(number % BigInt(GROUP))) + compact;
	return compact.slice(3);
}

function numberOf(text) {
	let number = 0n;
	text = text.padStart(25, '1');
	for (let at = 0; at < 25; at += 5) number = number * BigInt(GROUP) + BigInt(groupOf(text, at, at + 5));
	return number;
}

// The canonical text of an id.
function canonical(text) {
	if (typeof text !== 'string') throw new TypeError(`a gid is a string, not ${nameOf(text)}${isBytes(text) ? ': use Gid.fromBytes' : ''}`);
	const isCanonical = CANONICAL.test(text);
	if (!isCanonical && !COMPACT.test(text)) throw noText(text, wrongForm(text));
	if (isCanonical ? text.slice(0, 10) > LAST.slice(0, 10) || text.slice(11) > LAST.slice(11) : text > LAST_COMPACT)
		throw noText(text, 'Some of its digits encode a number that is too large.');
	if (text < (isCanonical ? FIRST : FIRST_COMPACT))
		throw noText(text, 'The first byte of a gid is 0x80 or above.');
	if (isCanonical) return text;
	const number = numberOf(text);
	const part = (shift, bits) => Number(BigInt.asUintN(bits, number >> shift));
	return textOf(part(120n, 8), part(72n, 48), part(64n, 8), part(32n, 32), part(0n, 32));
}

// Lengths and positions are the server's, in bytes of UTF-8.
function wrongForm(text) {
	const bytes = new TextEncoder().encode(text);
	if (bytes.length !== 24 && bytes.length !== 22)
		return `A gid is 24 bytes of text, or 22 in its compact form, not ${bytes.length}.`;
	const dashAt = bytes.length === 24 ? 10 : -1;
	const wrong = bytes.findIndex((byte, n) => n === dashAt ? byte !== 45 : !DIGITS.includes(String.fromCharCode(byte)));
	if (bytes[wrong] === 45 || wrong === dashAt)
		return 'A gid of 24 characters has one dash, at position 11; one of 22 has none.';
	return `The character at position ${wrong + 1} is not a base-58 digit. ` +
		'The digits are "1" to "9", "A" to "Z" and "a" to "z", without "I", "O" and "l".';
}

// The text, if it is of the kind, or no kind is expected.
function checked(text, kind) {
	if (kind === undefined) return text;
	const expected = prefixOf(kind), { prefix } = wordsOf(text);
	if (prefix === expected) return text;
	throw new RangeError(`gid of kind "${nameOfKind(prefix)}" does not match type gid(${nameOfKind(expected)}). ` +
		`The value "${text}" is an id of kind "${nameOfKind(prefix)}". Check the value, or the kind that the program expects.`);
}

// A bad value is a RangeError: it is not among those that are allowed.
const noText = (text, reason) => new RangeError(`invalid input syntax for type gid: ${JSON.stringify(text)}. ${reason}`);

// Also Buffers, and arrays of another realm.
const isBytes = value => value?.[Symbol.toStringTag] === 'Uint8Array';

function fromBytes(bytes) {
	if (!isBytes(bytes)) throw new TypeError(`the bytes of a gid are a Uint8Array, not ${nameOf(bytes)}`);
	if (bytes.length !== 16)
		throw new RangeError(`invalid binary value for type gid. A gid is 16 bytes, not ${bytes.length}.`);
	if (bytes[0] < 0x80)
		throw new RangeError('invalid binary value for type gid. The first byte is ' +
			`0x${bytes[0].toString(16).padStart(2, '0')}; in a gid it is 0x80 or above.`);
	const word = at => (bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]) >>> 0;
	return textOf(bytes[0], (bytes[1] << 8 | bytes[2]) * 2 ** 32 + word(3), bytes[7], word(8), word(12));
}

// The first byte of the ids of a kind.  Only ASCII folds to lower case.
function prefixOf(kind) {
	let prefix;
	if (typeof kind === 'string')
		prefix = PREFIXES.get(kind) ?? PREFIXES.get(kind.replace(/[A-Z]/g, letter => letter.toLowerCase()));
	else if (typeof kind === 'number')
		prefix = PREFIXES.get(String(kind));
	else
		throw new TypeError(`a kind is a name or a number, not ${nameOf(kind)}`);
	if (prefix === undefined)
		throw new RangeError(`unrecognized gid kind: ${JSON.stringify(String(kind))}. ` +
			'A kind is "volume", "log", "segment", a letter from "a" to "z", or a number from 128 to 254.');
	return prefix;
}

// A time in Unix microseconds.
function microsecondsOf(time) {
	if (typeof time === 'bigint') return time;
	if (Object.prototype.toString.call(time) !== '[object Date]')
		throw new TypeError(`a time is a Date, or Unix microseconds in a bigint, not ${nameOf(time)}`);
	if (Number.isNaN(time.getTime())) throw new RangeError('a time is not an invalid Date');
	return BigInt(time.getTime()) * 1000n;
}

// A time that an id can hold, in Unix microseconds.
function instantOf(time) {
	const instant = microsecondsOf(time);
	if (instant < 0n || instant >= BigInt(MAX_MS + 1) * 1000n)
		throw new RangeError(`timestamp out of range for type gid: "${time}". ` +
			'A gid holds times from 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC.');
	return instant;
}

const pad = (number, count = 2) => String(number).padStart(count, '0');
const fractionOf = micro => micro === 0n ? '' : `.${pad(micro, 6).replace(/0+$/, '')}`;

// Unix microseconds as PostgreSQL writes a timestamptz in JSON, in UTC.
function timestampOf(instant) {
	const seconds = new Date(Number(instant / 1000n)).toISOString().replace(/^\+0*/, '').slice(0, -5);
	return `${seconds}${fractionOf(instant % 1_000_000n)}+00:00`;
}

// Microseconds as PostgreSQL writes the difference of two timestamptz.
function intervalOf(micro) {
	const sign = micro < 0n ? '-' : '';
	if (micro < 0n) micro = -micro;
	const seconds = micro / 1_000_000n;
	const days = seconds / 86400n;
	const within = `${pad(seconds / 3600n % 24n)}:${pad(seconds / 60n % 60n)}:${pad(seconds % 60n)}${fractionOf(micro % 1_000_000n)}`;
	const words = days === 0n ? [] : [`${sign}${days} day${sign + days === '1' ? '' : 's'}`];
	if (days === 0n || within !== '00:00:00') words.push(sign + within);
	return words.join(' ');
}

function nameOf(value) {
	return value === null ? 'null' : typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value;
}

// The clock, in Unix milliseconds and microseconds.  Date has milliseconds.  performance adds
// the microseconds, and is set again when it differs from Date.
let origin = performance.timeOrigin;

function microWithin(ms) {
	const time = origin + performance.now() - ms;
	if (time >= 0 && time < 1) return Math.floor(time * 1000);
	origin -= time;
	return 0;
}

// Random words, fetched in blocks.
const pool = new Uint32Array(256);
let used = pool.length;

function random() {
	if (used === pool.length) {
		globalThis.crypto.getRandomValues(pool);
		used = 0;
	}
	return pool[used++];
}

// Microseconds, and the first 22 of 54 random bits.
const withRandom = micro => micro * 2 ** 22 + (random() >>> 10);

// All ids that a process makes without a time come from one number, which only grows: the instant, and below it 54 random
// bits.  If the clock shows a later microsecond, the number becomes that microsecond with new random bits.  Otherwise the
// number is incremented.  So the random bits overflow into the next microsecond, and ids stay in order after the clock is
// set back.
const last = { ms: 0, high: 0, low: 0 };

function tick() {
	const ms = Date.now(), micro = microWithin(ms);
	if (ms < 0 || ms > MAX_MS) instantOf(BigInt(ms) * 1000n);	// is an error
	if (ms > last.ms || ms === last.ms && micro > last.high >>> 22) {
		last.ms = ms;
		last.high = withRandom(micro);
		last.low = random();
	} else if (++last.low === 2 ** 32) {
		last.low = 0;
		if (++last.high === 1000 * 2 ** 22) {
			last.high = 0;
			last.ms++;
		}
	}
}
