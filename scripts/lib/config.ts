import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { unstable_readConfig } from 'wrangler';
import type { TokenFormat } from '../../src/platform/access/tokens/token-format.ts';
import { tokenFormatFrom } from '../../src/platform/access/tokens/token-format.ts';
import { withDefaults } from '../../src/platform/settings/variables.data.ts';
import { UserError } from './main.ts';
import { DEV_VARS, inRoot } from './paths.ts';

export const WRANGLER_CONFIG = inRoot('wrangler.toml');

/** `wrangler.toml` as wrangler parses it; without an environment, the top-level configuration of local runs. */
export function readWranglerConfig(environment?: string) {
  return unstable_readConfig(
    { config: WRANGLER_CONFIG, ...(environment === undefined ? {} : { env: environment }) },
    { hideWarnings: true },
  );
}

/** The classes of Durable Objects, which the entry of the Worker exports. */
export function objectClasses(): string[] {
  return readWranglerConfig().durable_objects.bindings.map((binding: { class_name: string }) => binding.class_name);
}

/** The environment of `--remote`: `CLOUDFLARE_ENV`, which wrangler reads too, or production. */
export function remoteEnvironment(): string {
  return process.env.CLOUDFLARE_ENV || 'production';
}

/** The variables of wrangler.toml and the defaults of the others. */
export function productionVars(environment?: string): Record<string, string> {
  const { vars } = readWranglerConfig(environment);
  return withDefaults(Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)])));
}

/** The variables of the local server: those of wrangler.toml, overridden by `.dev.vars`. */
export function developmentVars(): Record<string, string | undefined> {
  const own = existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, 'utf8')) : {};
  return { ...productionVars(), ...own };
}

/** The configured prefix and keys of API tokens. */
export function tokenFormatIn(vars: Readonly<Record<string, string | undefined>>): TokenFormat {
  const format = tokenFormatFrom(vars);
  if (!/^[A-Za-z0-9-]+$/.test(format.prefix))
    throw new UserError(`TOKEN_PREFIX must be letters, digits and hyphens, not "${format.prefix}".`);
  if (format.key === null)
    throw new UserError(
      'TOKEN_KEY must have at least 32 characters. With --remote, set the deployed value in the environment first: export TOKEN_KEY=…',
    );
  return format;
}
