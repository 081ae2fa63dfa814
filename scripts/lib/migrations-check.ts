import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runNode, TOOLS } from './commands.ts';
import { inRoot, ROOT } from './paths.ts';

/**
 * Null when `migrations/` leads to the tables in the sources, else what is missing. drizzle-kit generates into a copy,
 * so that the checkout stays as it is; it exits with 0 even when it fails, so its words are looked at.
 */
export async function whyMigrationsAreStale(): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    const copy = join(folder, 'migrations');
    cpSync(inRoot('migrations'), copy, { recursive: true });
    const config = join(folder, 'drizzle.config.ts');
    const overrides = { out: relative(ROOT, copy).replaceAll('\\', '/') };
    writeFileSync(
      config,
      `import config from ${JSON.stringify(inRoot('drizzle.config.ts'))};\nexport default { ...config, ...${JSON.stringify(overrides)} };\n`,
    );
    const { output } = await runNode(TOOLS.drizzleKit, ['generate', '--config', config, '--name', 'missing']);
    if (output.includes('No schema changes')) return null;
    return `The tables in the sources have no migration yet (npm run migrations):\n${newMigration(copy) ?? output.trim()}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function newMigration(folder: string): string | null {
  const name = readdirSync(folder).find((file) => file.endsWith('_missing.sql'));
  return name === undefined ? null : readFileSync(join(folder, name), 'utf8');
}
