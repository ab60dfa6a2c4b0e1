import js from '@eslint/js';

const globals = ['Buffer', 'TextEncoder', 'URL', 'clearTimeout', 'console', 'crypto', 'document', 'fetch', 'getComputedStyle', 'innerWidth',
	'localStorage', 'navigator', 'performance', 'process', 'sessionStorage', 'setTimeout'];

export default [
	{ ignores: ['**/*.cjs'] },
	js.configs.recommended,
	{
		languageOptions: { globals: Object.fromEntries(globals.map(name => [name, 'readonly'])) },
		rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': ['error', { destructuring: 'all' }] },
	},
];
