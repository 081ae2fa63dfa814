import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tokenFormatIn } from '../../../scripts/lib/config.ts';
import { readSecretsFile } from '../../../scripts/lib/secrets-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, 'secrets.env');
  writeFileSync(file, text);
  return file;
}

it.each([
  ['lines', 'TOKEN_KEY=abc=\n# comment\nMAIL_API_KEY="b"\n'],
  ['JSON', '{"TOKEN_KEY": "abc=", "MAIL_API_KEY": "b"}'],
])('reads a secrets file of %s', (_, text) => {
  expect({ ...readSecretsFile(fileWith(text)) }).toEqual({ TOKEN_KEY: 'abc=', MAIL_API_KEY: 'b' });
});

it('names a secrets file that does not exist', () => {
  expect(() => readSecretsFile(join(folder, 'none.env'))).toThrow('none.env does not exist');
});

it.each([
  ['invalid JSON', () => fileWith('{"TOKEN_KEY": private}')],
  ['a folder', () => folder],
])('refuses %s without showing its content', (_, path) => {
  expect(() => readSecretsFile(path())).toThrow(/^--secrets-file: \S+ must have NAME=value lines or a JSON object\.$/);
});

it('says where the key of a deployed token comes from when TOKEN_KEY is missing', () => {
  expect(() => tokenFormatIn({ TOKEN_PREFIX: 'gda', ENVIRONMENT: 'production' })).toThrow(
    'TOKEN_KEY must have at least 32 characters. With --remote, set the deployed value in the environment first: export TOKEN_KEY=…',
  );
});
