import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { unstable_readConfig } from 'wrangler';
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

/** The environment of `--remote`: `CLOUDFLARE_ENV`, which wrangler reads too, or production. */
export function remoteEnvironment(): string {
  return process.env.CLOUDFLARE_ENV || 'production';
}

/** The variables of wrangler.toml. */
export function productionVars(environment?: string): Record<string, string> {
  const { vars } = readWranglerConfig(environment);
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}

/** The variables of the local server: those of wrangler.toml, overridden by `.dev.vars`. */
export function developmentVars(): Record<string, string | undefined> {
  const own = existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, 'utf8')) : {};
  return { ...productionVars(), ...own };
}

/** The configured prefix of API tokens. */
export function tokenPrefixIn(vars: Readonly<Record<string, string | undefined>>): string {
  const prefix = vars.TOKEN_PREFIX ?? '';
  if (!/^[A-Za-z0-9-]+$/.test(prefix)) throw new UserError(`TOKEN_PREFIX must be letters, digits and hyphens, not "${prefix}".`);
  return prefix;
}
