import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWholeFile } from '../../../scripts/lib/whole-files.ts';
import { failWrite, replaceWrites } from '../../support/failing-writes.ts';

replaceWrites();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-files-'));
  failWrite(null);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('leaves the file as it was, and nothing beside it, when the disk is full', () => {
  const file = join(folder, 'deep', 'file');
  failWrite(0);
  expect(() => writeWholeFile(file, 'first')).toThrow('ENOSPC');
  expect(readdirSync(join(folder, 'deep'))).toEqual([]);
  writeWholeFile(file, 'first');
  failWrite(0);
  expect(() => writeWholeFile(file, 'second')).toThrow('ENOSPC');
  expect([readdirSync(join(folder, 'deep')), readFileSync(file, 'utf8')]).toEqual([['file'], 'first']);
});

it('replaces what a killed process left', () => {
  writeWholeFile(join(folder, '.unfinished-file'), 'half');
  writeWholeFile(join(folder, 'file'), 'whole');
  expect(readdirSync(folder)).toEqual(['file']);
});

it('removes what it wrote when the file cannot be replaced', () => {
  mkdirSync(join(folder, 'file', 'x'), { recursive: true });
  expect(() => writeWholeFile(join(folder, 'file'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['file']);
});
