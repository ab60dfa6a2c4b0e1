/** A kind: a name, in upper or lower case, or a number from 128 to 254, also as text. */
export type Kind = string | number;

/** A time: a Date, which has milliseconds, or Unix microseconds. */
export type Time = Date | bigint;

/**
 * An id.  Immutable.  It sorts as its text does: `a < b` and `ids.sort()` are in the server's order.
 * Two objects of one id are not `===`: compare them by `equals`, and take the text for the key of a Map.
 */
export class Gid {
	/**
	 * An id from its text of 24 or 22 characters or from its 16 bytes.
	 * What is no id is a RangeError with the server's reason; what is neither text nor bytes is a TypeError.
	 */
	constructor(value: string | Uint8Array | Gid);

	/** The canonical text, of 24 characters. */
	readonly text: string;

	/** The other text, of 22 characters. */
	get compact(): string;

	/** The 16 bytes, a copy. */
	get bytes(): Uint8Array;

	/** The first byte: the kind as a number. */
	get prefix(): number;

	/** The kind's name, or its number as text where it has none. */
	get kind(): string;

	/** When it was made, in whole milliseconds. */
	get time(): Date;

	/** When it was made, in Unix microseconds; null if it certainly does not tell, as an id of Graft. */
	get instant(): bigint | null;

	equals(other: unknown): boolean;
	toString(): string;
	toJSON(): string;
	/** For node-postgres. */
	toPostgres(): string;

	/**
	 * A new id: microseconds, and 54 random bits.
	 * Without a time, each id sorts after all that this process made so before, whatever their kinds.
	 * With a time, it is random alone that tells ids of one microsecond apart.
	 * The server's gid_settled() does not cover these ids: where programs poll with it, let the server mint.
	 */
	static new<T extends typeof Gid>(this: T, kind: Kind, at?: Time): InstanceType<T>;

	/**
	 * The smallest id of a kind whose time, in whole milliseconds, is at or after a time.
	 * Past the last millisecond it is the first id above the kind.
	 */
	static lowerBound<T extends typeof Gid>(this: T, kind: Kind, time: Time): InstanceType<T>;

	/** The smallest id of a kind whose time, in whole milliseconds, is after a time. */
	static upperBound<T extends typeof Gid>(this: T, kind: Kind, time: Time): InstanceType<T>;
}
