export function shows(what, holds) {
	console.log(`${holds ? 'ok' : 'not ok'} - ${what}`);
}
