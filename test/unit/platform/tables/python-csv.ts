import { spawnSync } from 'node:child_process';

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
