type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The kinds that have no name: their numbers as text. An id can have the prefix 255, but 255 is not a kind. */
type Unnamed = '129' | `1${3 | 4 | 5}${Digit}` | `16${Exclude<Digit, 0>}` | `1${7 | 8}${Digit}` | `19${Exclude<Digit, 2>}`
	| `2${0 | 1}${Digit}` | `22${0 | 1 | 2 | 3 | 4}` | `25${1 | 2 | 3 | 4 | 5}`;

/** The kind of an id, as `id.kind` returns it: a name, or the number as text if the kind has no name. */
export type Kind = 'volume' | 'log' | 'segment'
	| 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
	| 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | Unnamed;

/** A kind in any spelling: also a name in upper case, or a number from 128 to 254. */
export type KindLike = Kind | Uppercase<Kind> | number | `${number}`;

/** A time: a Date, which has milliseconds, or Unix microseconds. */
export type Time = Date | bigint;

/** An id: its text of 24 or 22 characters, its 16 bytes, or a Gid. */
export type GidValue = string | Uint8Array | Gid;

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
 * An id of the kind K; without K, of any kind. Its text cannot be changed.
 * Ids sort as on the server: compare them with `a < b`, and sort an array with `ids.sort()`.
 * Two objects of one id are not `===`: compare them with `equals`. As the key of a Map, use the text.
 */
export interface Gid<K extends Kind = Kind> {
	/** The canonical text, of 24 characters. */
	readonly text: string;

	/** The compact form, of 22 characters. */
	readonly compact: string;

	/** The 16 bytes, a copy. */
	readonly bytes: Uint8Array;

	/** The first byte: the kind as a number. */
	readonly prefix: number;

	/** The kind: its name, or its number as text if it has no name. */
	readonly kind: K;

	/** The creation time in whole milliseconds. */
	readonly time: Date;

	/** The creation time in Unix microseconds. Null unless the server's `gid_new` minted the id. */
	readonly instant: bigint | null;

	/** The number of the server that minted the id, if `gid.node` was set there; else random. Null if instant is null. */
	readonly node: number | null;

	/** The number of the generator. Null if instant is null. */
	readonly medallion: number | null;

	/** The number within the transaction. Null if instant is null. */
	readonly offset: number | null;

	/** All that the id contains: what `row_to_json(gid_explain(id))` is on the server, in UTC. */
	explain(): Explanation;

	/** Whether the other is the same id. Also for ids of another copy of this package. */
	equals(other: Gid<K> | null | undefined): boolean;

	toString(): string;
	toJSON(): string;

	/** For node-postgres. */
	toPostgres(): string;
}

type Subclass<T extends Gid> = abstract new (...args: any[]) => T;

export interface GidConstructor {
	/**
	 * An id from its text, its bytes or another Gid.
	 * A value that is not a valid gid is a RangeError with the server's reason. A value that is neither text nor bytes
	 * is a TypeError.
	 */
	new (value: GidValue): Gid;

	/** The same, of a certain kind. A valid gid of another kind is a RangeError. */
	new <K extends Kind>(value: GidValue, kind: K): Gid<K>;
	new (value: GidValue, kind: KindLike | undefined): Gid;

	readonly prototype: Gid;

	/** Whether the constructor accepts a value. An unrecognized kind is an error. */
	isValid<K extends Kind>(value: Gid, kind: K): value is Gid<K>;
	isValid(value: unknown, kind?: KindLike): boolean;

	/**
	 * A new id: microseconds, and 54 random bits.
	 * Without a time, each id is larger than the ids of its kind that this process minted before without a time.
	 * With a time, ids of one microsecond differ only in their random bits.
	 * The server's gid_settled() does not cover these ids: if programs poll with it, let the server mint.
	 */
	'new'<K extends Kind>(this: GidConstructor, kind: K, at?: Time): Gid<K>;
	'new'<T extends Gid>(this: Subclass<T>, kind: T['kind'], at?: Time): T;
	'new'(this: GidConstructor, kind: KindLike, at?: Time): Gid;

	/**
	 * The smallest id of a kind whose time, in whole milliseconds, is at or after a time.
	 * After the year 10889 it is the first id above the kind.
	 */
	lowerBound<K extends Kind>(this: GidConstructor, kind: K, time: Time): Gid<K>;
	lowerBound<T extends Gid>(this: Subclass<T>, kind: T['kind'], time: Time): T;
	lowerBound(this: GidConstructor, kind: KindLike, time: Time): Gid;

	/** The smallest id of a kind whose time, in whole milliseconds, is after a time. */
	upperBound<K extends Kind>(this: GidConstructor, kind: K, time: Time): Gid<K>;
	upperBound<T extends Gid>(this: Subclass<T>, kind: T['kind'], time: Time): T;
	upperBound(this: GidConstructor, kind: KindLike, time: Time): Gid;
}

export declare const Gid: GidConstructor;
