import { spawnSync } from 'node:child_process';

/** Records of an RFC 4180 file, by the grammar of section 2 alone. Throws for a file that does not follow it. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`no field at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record has no line end');
  return records;
}

const PYTHON = 'python3';
const PROGRAM = `
import csv, io, json, sys
files = json.load(sys.stdin)
print(json.dumps([list(csv.reader(io.StringIO(text, newline=""), strict=True)) for text in files]))
`;

export const hasPython = spawnSync(PYTHON, ['--version']).status === 0;

/** Records of each file as the csv module of Python reads them. */
export function readWithPython(files: readonly string[]): string[][][] {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', PROGRAM], {
    input: JSON.stringify(files),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
