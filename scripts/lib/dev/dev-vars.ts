import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const SECRET_BYTES = 32;

/**
 * Adds ENVIRONMENT and SESSION_SECRET to `.dev.vars` if they are missing. Does not change existing lines. Returns the effective
 * environment.
 */
export function ensureDevVars(path: string): string {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const chosen = parseEnv(present);
  const defaults = { ENVIRONMENT: 'development', SESSION_SECRET: randomBytes(SECRET_BYTES).toString('base64url') };
  const missing = Object.entries(defaults).filter(([name]) => chosen[name] === undefined);
  if (missing.length > 0) {
    const gap = present === '' || present.endsWith('\n') ? '' : '\n';
    writeFileSync(path, `${present}${gap}${missing.map(([name, value]) => `${name}=${value}\n`).join('')}`);
  }
  return chosen.ENVIRONMENT ?? defaults.ENVIRONMENT;
}
