// Identifiers of PostgreSQL's extension gid: 16 bytes that tell their kind and
// when they were made.  This module needs nothing but JavaScript and a source
// of random bits; those beside it tell a driver or an ORM about ids.
import * as node from 'node:crypto';

const crypto = globalThis.crypto ?? node.webcrypto;	// Node 18 has no global one

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

const MAX_MS = (1n << 48n) - 1n;
const MAX_INSTANT = MAX_MS * 1000n + 999n;
const RANDOM_BITS = 54n;

export class Gid {
	constructor(value) {
		// A property, not a private field, so that deep comparisons tell ids apart.
		this.text = canonical(value);
		Object.freeze(this);
	}

	// What is in an id.

	toString() {
		return this.text;
	}

	toJSON() {
		return this.text;
	}

	// node-postgres asks objects for this.
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
		return Number(head(this) >> 48n);
	}

	get kind() {
		return NAMES.get(this.prefix) ?? String(this.prefix);
	}

	get time() {
		return new Date(Number(head(this) & MAX_MS));
	}

	get instant() {
		const micro = tail(this) >> 54n & 1023n;
		if (tail(this) >> 64n !== head(this) >> 48n || micro > 999n) return null;
		return (head(this) & MAX_MS) * 1000n + micro;
	}

	equals(other) {
		return other instanceof Gid && this.text === other.text;
	}

	// What is made in the program.

	static new(kind, at) {
		const prefix = BigInt(prefixOf(kind));
		const number = at === undefined ? tick() : instantOf(at) << RANDOM_BITS | random();
		const instant = number >> RANDOM_BITS;
		return new this(textOf(prefix << 48n | instant / 1000n,
			prefix << 64n | instant % 1000n << RANDOM_BITS | BigInt.asUintN(54, number)));
	}

	static lowerBound(kind, time) {
		const ms = (microsecondsOf(time) + 999n) / 1000n;	// towards zero, and below it there is no id
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
	if (typeof value === 'string') return fromText(value);
	if (value instanceof Gid) return value.text;
	// Buffers are such arrays, as are those of another realm.
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
		throw noText(text, 'Some of its digits spell a number too large for the bytes they stand for.');
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

function nameOf(value) {
	return value === null ? 'null' : typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value;
}

function random() {
	return crypto.getRandomValues(new BigUint64Array(1))[0] >> 64n - RANDOM_BITS;
}

// The clock, in Unix microseconds.  Date tells the millisecond; how much of it
// has gone by is told by the other clock, which is set again where they part.
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

// All ids that a process makes without a time are one number, which only
// grows: the instant, and below it 54 random bits.  If the clock shows a later
// microsecond, that and new random bits are next.  If it does not, the number
// is counted up by one; so the random bits run over into the next microsecond,
// and a clock that was set back is waited for.
let last = 0n;

function tick() {
	const now = instantOf(clock());
	last = now > last >> RANDOM_BITS ? now << RANDOM_BITS | random() : last + 1n;
	return last;
}
