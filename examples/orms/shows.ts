// What the programs share.
export function shows(what: string, holds: boolean): void {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
}

// Shows that each query with an id of another kind, or with other text, is an error before it is sent.
export async function rejects(...queries: (() => unknown)[]): Promise<void> {
	for (const query of queries) {
		const refused: any = await (async () => query())().catch(error => error);
		shows(`not sent: ${refused.message}`, refused instanceof RangeError);
	}
}

export const hourAgo = new Date(Date.now() - 3_600_000);
export const soon = new Date(Date.now() + 60_000);
