/** A row of a Markdown table. */
export function tableRow(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Replaces the lines between the markers of a part of a page. */
export function withPart(text: string, name: string, lines: readonly string[]): string {
  const [start, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no part ${name}`);
  return `${text.slice(0, from + start.length)}\n${lines.join('\n')}\n\n${text.slice(to)}`;
}
