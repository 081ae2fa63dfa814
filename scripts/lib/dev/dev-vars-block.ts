const BLOCK_START = '# >>> npm run upstreams';
const BLOCK_END = '# <<< npm run upstreams';

/** The text with a block of variables of ours at its end, in place of the one it may have. */
export function withBlock(text: string, vars: Readonly<Record<string, string>>): string {
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"`);
  return `${withoutBlock(text)}${[BLOCK_START, ...lines, BLOCK_END].join('\n')}\n`;
}

/** Whether the text has our block: `npm run upstreams -- --connect` leads the service. */
export function hasBlock(text: string): boolean {
  return text.includes(BLOCK_START);
}

/** The text without our block; every other line is the developer's and stays. */
export function withoutBlock(text: string): string {
  const start = text.indexOf(BLOCK_START);
  const end = text.indexOf(BLOCK_END, start);
  const kept = start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + BLOCK_END.length).replace(/^\r?\n/, '');
  return kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`;
}
