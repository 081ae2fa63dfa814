import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url).href).replace(/[\\/]$/, '');

/** A path inside the checkout. */
export function inRoot(...parts: string[]): string {
  return join(ROOT, ...parts);
}

/** Folder of wrangler's local state, which `wrangler dev` and the scripts share. */
export const LOCAL_STATE = inRoot('.wrangler', 'state', 'v3');

export const DEV_VARS = inRoot('.dev.vars');
export const DEV_FILE = inRoot('.local', 'dev.json');
