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
