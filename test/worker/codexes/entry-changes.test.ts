import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { createDumpReads, type DumpRow } from '../../../src/areas/codexes/changes/dumps.store.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';

const CHANGES = 250;
const CHANGES_PER_MARK = 100;
/** In byte order, which differs from the order of strings for the last two. */
const PATHS = [
  ...Array.from({ length: CHANGES - 2 }, (_, index) => `item/${String(index * 2).padStart(4, '0')}`),
  'item/\uffe5',
  'item/😀',
];

it('finds the change of each entry of a build among hundreds, and none of an entry that did not change', async () => {
  const contents = createContentStore(env.ARCHIVE);
  const lines = PATHS.map((path) => `${JSON.stringify({ type: 'item', path, name: path, change: 'modified', fields: [] })}\n`);
  const text = lines.join('');
  const marks: number[] = [];
  for (let line = 0; line < CHANGES; line += CHANGES_PER_MARK) marks.push(Buffer.byteLength(lines.slice(0, line).join('')));
  const { sha256 } = await contents.put(new Uint8Array(Buffer.from(text)));
  const row = { changes_sha256: sha256, changes_size: Buffer.byteLength(text), marks: JSON.stringify(marks) } as DumpRow;
  const { findChange } = createDumpReads(createDatabase(env.DB), contents);

  const found = await Promise.all(PATHS.map(async (path) => (await findChange(row, path)) ?? ''));
  expect(found.map((line) => (line === '' ? '' : JSON.parse(line).path))).toEqual(PATHS);
  for (const path of ['', 'item/0001', 'item/0201', 'item/0495', 'z']) expect([path, await findChange(row, path)]).toEqual([path, null]);
  expect(await findChange({ ...row, changes_sha256: null, changes_size: 0, marks: '[]' }, 'item/0000')).toBeNull();
});
