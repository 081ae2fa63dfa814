import { readFileSync, writeFileSync } from 'node:fs';
import { experimental_generateTypes } from 'wrangler';
import { WRANGLER_CONFIG } from './lib/config.ts';
import { runMain, UserError } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

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

/** `npm run types`: writes src/env.d.ts. `--check` only checks whether it matches wrangler.toml. */
await runMain(async () => {
  const types = await generate();
  if (!process.argv.includes('--check')) writeFileSync(TARGET, types);
  else if (readFileSync(TARGET, 'utf8') !== types) throw new UserError('src/env.d.ts does not match wrangler.toml: run npm run types');
});
