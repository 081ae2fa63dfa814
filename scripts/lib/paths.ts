import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url).href).replace(/[\\/]$/, '');

/** A path inside the checkout. */
export function inRoot(...parts: string[]): string {
  return join(ROOT, ...parts);
}
