import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const SECRET_BYTES = 32;
const BLOCK_START = '# >>> npm run upstreams';
const BLOCK_END = '# <<< npm run upstreams';

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

/** Appends a block of generated variables to the text, or replaces the existing one. */
export function withBlock(text: string, vars: Readonly<Record<string, string>>): string {
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"`);
  return `${withoutBlock(text)}${[BLOCK_START, ...lines, BLOCK_END].join('\n')}\n`;
}

/** Whether the text has the generated block, so `npm run upstreams -- --connect` is active. */
export function hasBlock(text: string): boolean {
  return text.includes(BLOCK_START);
}

/** Removes the generated block; all other lines stay unchanged. */
export function withoutBlock(text: string): string {
  const start = text.indexOf(BLOCK_START);
  const end = text.indexOf(BLOCK_END, start);
  const remaining = start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + BLOCK_END.length).replace(/^\r?\n/, '');
  return remaining === '' || remaining.endsWith('\n') ? remaining : `${remaining}\n`;
}
