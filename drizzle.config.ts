import { defineConfig } from 'drizzle-kit';

/** Migrations are generated from the tables (`npm run migrations`), committed, and applied by wrangler. */
export default defineConfig({ dialect: 'sqlite', schema: './src/**/*.tables.ts', out: './migrations' });
