import { readFileSync, writeFileSync } from 'node:fs';
import { experimental_generateTypes } from 'wrangler';
import { WRANGLER_CONFIG } from '../config.ts';
import { inRoot } from '../paths.ts';

const TARGET = inRoot('src', 'env.d.ts');

/**
 * Types of the bindings as wrangler.toml has them. The `wrangler types` command also reads a developer's `.dev.vars`,
 * so that its result would differ from one checkout to the next; the line that repeats the command is left out too.
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
