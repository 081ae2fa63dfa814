const BLOCK_START = '# >>> npm run upstreams';
const BLOCK_END = '# <<< npm run upstreams';

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
