import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const WANTED = 'ENVIRONMENT=development';

/**
 * Makes sure that `.dev.vars` sets ENVIRONMENT; every other line is the developer's and stays as it is, as does an
 * ENVIRONMENT of their own choosing. Returns the value in force.
 */
export function ensureDevVars(path: string): string {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const chosen = parseEnv(present).ENVIRONMENT;
  if (chosen !== undefined) return chosen;
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  writeFileSync(path, `${present}${gap}${WANTED}\n`);
  return 'development';
}
