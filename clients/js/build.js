// Writes the CommonJS twin of each module, and of its types, when npm packs this folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import vm from 'node:vm';

const here = new URL('./', import.meta.url);
const named = (names, separator) => names.replace(/ as /g, separator);

for (const file of readdirSync(here)) {
	const [, name, extension] = file.match(/^(.*?)\.(js|d\.ts)$/) ?? [];
	if (['build', 'eslint.config', 'cli', 'conformance', 'test', undefined].includes(name)) continue;
	let text = readFileSync(new URL(file, here), 'utf8').replace(/'(\.\/\w+)\.js'/g, `'$1.cjs'`);
	if (extension === 'js') {
		const exported = [];
		text = text
			.replace(/^import (\{[^}]*\}) from ('.*?');$/gm, (_, names, from) => `const ${named(names, ': ')} = require(${from});`)
			.replace(/^export (\{[^}]*\}) from ('.*?');$/gm, (_, names, from) => {
				exported.push(...names.match(/\w+/g));
				return `const ${names} = require(${from});`;
			})
			.replace(/^export ((?:async )?(?:class|const|function\*?) (\w+))/gm, (_, declaration, name) => {
				exported.push(name);
				return declaration;
			});
		text = `'use strict';\n\n${text}\nmodule.exports = { ${exported.join(', ')} };\n`;
		new vm.Script(`(function () {${text}})`, { filename: file });	// what is not translated is a SyntaxError
	}
	writeFileSync(new URL(`${name}.${extension === 'js' ? 'cjs' : 'd.cts'}`, here), text);
}
