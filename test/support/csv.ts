/** Parses a CSV file strictly by the grammar of RFC 4180, section 2. Throws on a violation. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`invalid field at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record must end with a line break');
  return records;
}

/**
 * Cells as a spreadsheet reads them that separates with another character than the file: a quote matters only at the start of a cell, and
 * text after the closing quote belongs to the cell.
 */
export function readLeniently(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isStart = true;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || isStart)) {
      isQuoted = !isQuoted;
      isStart = false;
    } else if (!isQuoted && (character === separator || character === '\r' || character === '\n')) {
      cells.push(cell);
      cell = '';
      isStart = true;
    } else {
      cell += character;
      isStart = false;
    }
  }
  return [...cells, cell];
}
