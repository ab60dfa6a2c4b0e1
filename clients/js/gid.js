// Identifiers of PostgreSQL's extension gid: 16 bytes that contain their kind and
// their creation time.  This module imports nothing, so that a browser can load it
// as it is.  The modules next to it are for drivers and ORMs.

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Uint8Array(128);
[...DIGITS].forEach((digit, value) => VALUES[digit.charCodeAt(0)] = value);
const CANONICAL = /^[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}$/;
const COMPACT = /^[1-9A-HJ-NP-Za-km-z]{22}$/;
// Digits are handled by five: 58 ** 5 is a small integer.
const POWERS = Array.from({ length: 6 }, (_, n) => 58n ** BigInt(n));

const NAMES = new Map([[0x80, 'volume'], [0xA0, 'log'], [0xC0, 'segment']]);
for (let n = 0; n < 26; n++) NAMES.set(0xE1 + n, String.fromCharCode(97 + n));
const PREFIXES = new Map();
for (let prefix = 128; prefix <= 254; prefix++) PREFIXES.set(String(prefix), prefix);
for (const [prefix, name] of NAMES) PREFIXES.set(name, prefix);

const nameOfKind = prefix => NAMES.get(prefix) ?? String(prefix);

const MAX_MS = (1n << 48n) - 1n;
const MAX_OFFSET = (1n << 30n) - 1n;
const MAX_INSTANT = MAX_MS * 1000n + 999n;
const RANDOM_BITS = 54n;
const OTHER_PAYLOAD = 255n;	// in byte 7, if the payload is not a muid; no kind has this prefix

// A program can contain two copies of this module.  Each recognizes the ids of the other.
const BRAND = Symbol.for('pg-gid');

export class Gid {
	constructor(value, kind) {
		const text = canonical(value);
		if (kind !== undefined) checkKind(text, prefixOf(kind));
		// An own property, so that deep comparisons distinguish ids.  Only this property is
		// read-only: subclasses can add fields.
		Object.defineProperty(this, 'text', { value: text, enumerable: true });
	}

	static parse(value, kind) {
		return new this(value, kind);
	}

	static isValid(value, kind) {
		const prefix = kind === undefined ? undefined : prefixOf(kind);
		try {
			const text = canonical(value);
			return prefix === undefined || prefixIn(text) === prefix;
		} catch {
			return false;
		}
	}

	get [BRAND]() {
		return true;
	}

	// What an id contains.

	toString() {
		return this.text;
	}

	toJSON() {
		return this.text;
	}

	// node-postgres calls this for a parameter.
	toPostgres() {
		return this.text;
	}

	[Symbol.for('nodejs.util.inspect.custom')]() {
		return `${this.constructor.name}(${this.text})`;
	}

	get bytes() {
		const view = new DataView(new ArrayBuffer(16));
		view.setBigUint64(0, head(this) << 8n | tail(this) >> 64n);
		view.setBigUint64(8, BigInt.asUintN(64, tail(this)));
		return new Uint8Array(view.buffer);
	}

	get compact() {
		return digits(head(this) << 72n | tail(this), 22);
	}

	get prefix() {
		return prefixIn(this.text);
	}

	get kind() {
		return nameOfKind(this.prefix);
	}

	get time() {
		return new Date(Number(head(this) & MAX_MS));
	}

	get instant() {
		const micro = tail(this) >> 54n & 1023n;
		const byte7 = tail(this) >> 64n;
		if (byte7 !== head(this) >> 48n || byte7 === OTHER_PAYLOAD || micro > 999n) return null;
		return (head(this) & MAX_MS) * 1000n + micro;
	}

	get node() {
		return this.instant === null ? null : Number(tail(this) >> 44n & 0x3FFn);
	}

	get medallion() {
		return this.instant === null ? null : Number(tail(this) >> 30n & 0xFFFFFFn);
	}

	get offset() {
		return this.instant === null ? null : Number(tail(this) & MAX_OFFSET);
	}

	// The keys and the values of row_to_json(gid_explain(id)) on the server, in UTC.
	explain() {
		const { kind, prefix, instant, node, medallion, offset, text, compact } = this;
		const time = (head(this) & MAX_MS) * 1000n;
		const age = clock() - time;
		const hex = [...this.bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
		const upper = (number, count) => number.toString(16).toUpperCase().padStart(count, '0');
		return {
			kind, prefix,
			time: timestampOf(time),
			age: intervalOf(age),
			instant: instant === null ? null : timestampOf(instant),
			node, medallion,
			muid_offset: offset,
			transaction: instant === null ? null : textOf(head(this), tail(this) & ~MAX_OFFSET),
			text, compact,
			uuid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
			muid: instant === null ? null : `${upper(instant, 13)}-${upper(0x10000000000 + medallion, 11)}-${upper(offset, 8)}`,
			remarks: [
				prefix === 255 && 'prefix 255 is not a kind',
				tail(this) === 0n ? 'a bound, not the id of anything'
					: instant === null ? 'no instant: not minted by gid_new'
					: 'node and medallion are random unless gid.node was set',
				age < 0n && 'the time is in the future',
			].filter(Boolean).join('; '),
		};
	}

	equals(other) {
		return isGid(other) && this.text === other.text;
	}

	// Ids and bounds that the program makes.

	static new(kind, at) {
		const prefix = prefixOf(kind);
		const number = at === undefined ? tick() : instantOf(at) << RANDOM_BITS | random();
		const instant = number >> RANDOM_BITS;
		return new this(textOf(BigInt(prefix) << 48n | instant / 1000n,
			OTHER_PAYLOAD << 64n | instant % 1000n << RANDOM_BITS | BigInt.asUintN(54, number)));
	}

	static lowerBound(kind, time) {
		const ms = (microsecondsOf(time) + 999n) / 1000n;	// towards zero, and below it there is not an id
		const within = ms < 0n ? 0n : ms > MAX_MS ? MAX_MS + 1n : ms;
		return new this(textOf((BigInt(prefixOf(kind)) << 48n) + within, 0n));
	}

	static upperBound(kind, time) {
		return this.lowerBound(kind, microsecondsOf(time) + 1n);
	}
}

// The text is two numbers: the kind and the milliseconds, and the rest.
const head = id => numberOf(id.text, 0, 10);
const tail = id => numberOf(id.text, 11, 24);
const prefixIn = text => Number(numberOf(text, 0, 10) >> 48n);
const isGid = value => value?.[BRAND] === true;

function textOf(head, tail) {
	return `${digits(head, 10)}-${digits(tail, 13)}`;
}

function digits(number, count) {
	let text = '';
	while (text.length < count) {
		let five = Number(number % POWERS[5]);
		number /= POWERS[5];
		for (let n = 0; n < 5; n++) {
			text = DIGITS[five % 58] + text;
			five = Math.floor(five / 58);
		}
	}
	return text.slice(-count);
}

function numberOf(text, from, to) {
	let number = 0n;
	for (let start = from; start < to; start += 5) {
		const end = Math.min(start + 5, to);
		let five = 0;
		for (let n = start; n < end; n++) five = five * 58 + VALUES[text.charCodeAt(n)];
		number = number * POWERS[end - start] + BigInt(five);
	}
	return number;
}

// The canonical text of what an id is made from.
function canonical(value) {
	if (isGid(value)) value = value.text;
	if (typeof value === 'string') return fromText(value);
	// Also Buffers, and arrays of another realm.
	if (value?.[Symbol.toStringTag] === 'Uint8Array') return fromBytes(value);
	throw new TypeError(`a gid is made from a string or a Uint8Array, not from ${nameOf(value)}`);
}

function fromText(text) {
	let head, tail;
	if (CANONICAL.test(text)) {
		head = numberOf(text, 0, 10);
		tail = numberOf(text, 11, 24);
	} else if (COMPACT.test(text)) {
		const number = numberOf(text, 0, 22);
		head = number >> 72n;
		tail = BigInt.asUintN(72, number);
	} else
		throw noText(text, wrongForm(text));
	if (head >> 56n !== 0n || tail >> 72n !== 0n)
		throw noText(text, 'Some of its digits encode a number that is too large.');
	if (head >> 55n === 0n)
		throw noText(text, 'The first byte of a gid is 0x80 or above.');
	return text.length === 24 ? text : textOf(head, tail);
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

function checkKind(text, expected) {
	const prefix = prefixIn(text);
	if (prefix === expected) return;
	throw new RangeError(`gid of kind "${nameOfKind(prefix)}" does not match type gid(${nameOfKind(expected)}). ` +
		`The value "${text}" is the id of a "${nameOfKind(prefix)}". Check the value, or the kind that the program expects.`);
}

// A bad value is a RangeError: it is not among those that are allowed.
function noText(text, reason) {
	return new RangeError(`invalid input syntax for type gid: ${JSON.stringify(text)}. ${reason}`);
}

function fromBytes(bytes) {
	if (bytes.length !== 16)
		throw new RangeError(`invalid binary value for type gid. A gid is 16 bytes, not ${bytes.length}.`);
	if (bytes[0] < 0x80)
		throw new RangeError('invalid binary value for type gid. The first byte is ' +
			`0x${bytes[0].toString(16).padStart(2, '0')}; in a gid it is 0x80 or above.`);
	const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
	const high = view.getBigUint64(0);
	return textOf(high >> 8n, BigInt.asUintN(8, high) << 64n | view.getBigUint64(8));
}

// The first byte of the ids of a kind.  Only ASCII folds to lower case.
function prefixOf(kind) {
	let prefix;
	if (typeof kind === 'string')
		prefix = PREFIXES.get(kind.replace(/[A-Z]/g, letter => letter.toLowerCase()));
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
	if (instant < 0n || instant > MAX_INSTANT)
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

function random() {
	return globalThis.crypto.getRandomValues(new BigUint64Array(1))[0] >> 64n - RANDOM_BITS;
}

// The clock, in Unix microseconds.  Date has milliseconds.  performance adds the
// microseconds, and is set again when it differs from Date.
let origin = performance.timeOrigin;

function clock() {
	const ms = Date.now();
	let time = origin + performance.now();
	if (!(time >= ms && time < ms + 1)) {
		origin += ms - time;
		time = ms;
	}
	return BigInt(Math.floor(time * 1000));
}

// All ids that a process makes without a time come from one number, which only
// grows: the instant, and below it 54 random bits.  If the clock shows a later
// microsecond, the number becomes that microsecond with new random bits.
// Otherwise the number is incremented.  So the random bits overflow into the next
// microsecond, and ids stay in order after the clock is set back.
let last = 0n;

function tick() {
	const now = instantOf(clock());
	last = now > last >> RANDOM_BITS ? now << RANDOM_BITS | random() : last + 1n;
	return last;
}
