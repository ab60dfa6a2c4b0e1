type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The kinds that have no name: their numbers as text. An id can have the prefix 255, but 255 is not a kind. */
type Unnamed = '129' | `1${3 | 4 | 5}${Digit}` | `16${Exclude<Digit, 0>}` | `1${7 | 8}${Digit}` | `19${Exclude<Digit, 2>}`
	| `2${0 | 1}${Digit}` | `22${0 | 1 | 2 | 3 | 4}` | `25${1 | 2 | 3 | 4 | 5}`;

/** The kind of an id, as `Gid.kind(id)` returns it: a name, or the number as text if the kind has no name. */
export type Kind = 'volume' | 'log' | 'segment'
	| 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
	| 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | Unnamed;

/** A kind in any spelling: also a name in upper case, or a number from 128 to 254. */
export type KindLike = Kind | Uppercase<Kind> | number | `${number}`;

/** A time: a Date, which has milliseconds, or Unix microseconds. */
export type Time = Date | bigint;

/** What `gid_explain(id)` returns on the server, as `row_to_json` writes it in UTC. */
export interface Explanation {
	kind: Kind;
	prefix: number;
	/** As `2026-11-01T09:30:00.123+00:00`. */
	time: string;
	/** As `22 days 01:53:12.123456`. */
	age: string;
	instant: string | null;
	node: number | null;
	medallion: number | null;
	gid_offset: number | null;
	/** The id with offset 0. All ids of a kind that a transaction minted have the same. */
	transaction: string | null;
	text: string;
	compact: string;
	uuid: string;
	muid: string | null;
	/** Remarks on what the other values do not prove. */
	remarks: string;
}

/**
 * An id of the kind K; without K, of any kind. It is its canonical text, a string of 24 characters: `===`, Map, Set, JSON
 * and `ids.sort()` work, and the order is the server's. The property exists only for TypeScript, which distinguishes kinds
 * by it.
 */
export type Gid<K extends Kind = Kind> = string & { readonly __gid: K };

/**
 * Functions that read and mint ids. Those with an id as their argument accept every text of an id.
 * Text that is not a valid gid is a RangeError with the server's reason. A value that is not a string is a TypeError.
 */
export declare const Gid: Readonly<{
	/** The canonical text of a text of 24 or 22 characters. */
	parse<K extends Kind>(text: string, kind: K): Gid<K>;
	/** The same. With a kind, a valid gid of another kind is a RangeError. `texts.map(Gid.parse)` accepts any kind. */
	parse<K extends Kind>(text: Gid<K>): Gid<K>;
	parse(text: string, kind?: KindLike, array?: readonly unknown[]): Gid;

	/** The id of 16 bytes. Other bytes are a RangeError, and a value that is not a Uint8Array is a TypeError. */
	fromBytes<K extends Kind>(bytes: Uint8Array, kind: K): Gid<K>;
	fromBytes(bytes: Uint8Array, kind?: KindLike, array?: readonly unknown[]): Gid;

	/** Whether `parse` accepts a value. An unrecognized kind is an error. `texts.filter(Gid.isValid)` accepts any kind. */
	isValid<K extends Kind>(value: Gid, kind: K): value is Gid<K>;
	isValid(value: unknown, kind?: KindLike, array?: readonly unknown[]): boolean;

	/** The 16 bytes. */
	bytes(id: string): Uint8Array;

	/** The compact form, of 22 characters. */
	compact(id: string): string;

	/** The first byte: the kind as a number. */
	prefix(id: string): number;

	/** The kind: its name, or its number as text if it has no name. */
	kind<K extends Kind>(id: Gid<K>): K;
	kind(id: string): Kind;

	/** The creation time in whole milliseconds. */
	time(id: string): Date;

	/** The creation time in Unix microseconds. Null unless the server's `gid_new` minted the id. */
	instant(id: string): bigint | null;

	/** The number of the server that minted the id, if `gid.node` was set there; else random. Null if the instant is null. */
	node(id: string): number | null;

	/** The number of the generator. Null if the instant is null. */
	medallion(id: string): number | null;

	/** The number within the transaction. Null if the instant is null. */
	offset(id: string): number | null;

	/** All that the id contains: what `row_to_json(gid_explain(id))` is on the server, in UTC. */
	explain(id: string): Explanation;

	/**
	 * A new id: microseconds, and 54 random bits.
	 * Without a time, each id is larger than the ids of its kind that this process minted before without a time.
	 * With a time, ids of one microsecond differ only in their random bits.
	 * The server's gid_settled() does not cover these ids: if programs poll with it, let the server mint.
	 */
	'new'<K extends Kind>(kind: K, at?: Time): Gid<K>;
	'new'(kind: KindLike, at?: Time): Gid;

	/**
	 * The smallest id of a kind whose time, in whole milliseconds, is at or after a time.
	 * After the year 10889 it is the first id above the kind.
	 */
	lowerBound<K extends Kind>(kind: K, time: Time): Gid<K>;
	lowerBound(kind: KindLike, time: Time): Gid;

	/** The smallest id of a kind whose time, in whole milliseconds, is after a time. */
	upperBound<K extends Kind>(kind: K, time: Time): Gid<K>;
	upperBound(kind: KindLike, time: Time): Gid;
}>;
