import { readFileSync, writeFileSync } from 'node:fs';
import { experimental_generateTypes } from 'wrangler';
import { WRANGLER_CONFIG } from '../config.ts';
import { inRoot } from '../paths.ts';

const TARGET = inRoot('src', 'env.d.ts');

/**
 * Generates the binding types of wrangler.toml. Ignores `.dev.vars` and removes the line with the command, because both differ
 * between checkouts.
 */
async function generate(): Promise<string> {
  const { content } = await experimental_generateTypes({
    config: WRANGLER_CONFIG,
    path: TARGET,
    includeRuntime: false,
    strictVars: false,
    envFile: [inRoot('.local', 'no-such-file.env')],
  });
  const [first = '', , ...rest] = content.split('\n');
  return [first, '// Generated from wrangler.toml by `npm run types`.', ...rest, ''].join('\n');
}

export async function writeEnvTypes(): Promise<void> {
  writeFileSync(TARGET, await generate());
}

export async function areEnvTypesFresh(): Promise<boolean> {
  return readFileSync(TARGET, 'utf8') === (await generate());
}
