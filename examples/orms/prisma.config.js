// Migrations by the adapter too, with no engine.
import { PrismaPg } from '@prisma/adapter-pg';
import { defineConfig } from 'prisma/config';

export default defineConfig({
	schema: 'schema.prisma',
	experimental: { adapter: true },
	engine: 'js',
	adapter: async () => new PrismaPg({}),
});
