import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import type { EntryChange, FieldChange } from '../../src/areas/codexes/changes/dump-difference.domain.ts';
import { createFolderIndex } from './index-folder.ts';

type Fields = Record<string, unknown>;

/**
 * `node test/corpus/changes.ts OLD NEW`: indexes two folders of the game as versions and applies the listed changes to the old dump. Exits
 * with 1 unless the result is the new dump, byte for byte. Reads the folders in place and prints counts.
 */
await runMain(async () => {
  const [old, current] = process.argv.slice(2);
  if (old === undefined || current === undefined) throw new UserError('Usage: node test/corpus/changes.ts OLD NEW');
  const state = mkdtempSync(join(tmpdir(), 'corpus-changes-'));
  const index = await createFolderIndex(join(state, 'v3'));
  try {
    const before = await index.index(old);
    const after = await index.index(current);
    const changes = linesOf(after.changes ?? new Uint8Array()).map((line): EntryChange => JSON.parse(line));
    const count = (kind: EntryChange['change']) => changes.filter(({ change }) => change === kind).length;
    console.log(`${linesOf(before.dump).length} entries, then ${linesOf(after.dump).length}`);
    console.log(`${count('added')} added, ${count('modified')} modified, ${count('removed')} removed`);
    const { same, other, paths } = compare(apply(linesOf(before.dump), changes), linesOf(after.dump));
    console.log(`${same} lines are those of the new dump, ${other} are not`);
    for (const path of paths.slice(0, 10)) console.log(`  ${path}`);
    if (other > 0) process.exitCode = 1;
  } finally {
    await index.dispose();
    rmSync(state, { recursive: true });
  }
});

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split('\n').slice(0, -1);
}

/** The lines of a dump with the changes, in the order of dumps. */
function apply(lines: readonly string[], changes: readonly EntryChange[]): string[] {
  const entries = new Map(lines.map((line) => [(JSON.parse(line) as { path: string }).path, line]));
  for (const { path, change, fields } of changes) {
    if (change === 'removed') entries.delete(path);
    else entries.set(path, JSON.stringify(applyFields(change === 'added' ? {} : JSON.parse(entries.get(path) ?? '{}'), fields)));
  }
  return [...entries].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))).map(([, line]) => line);
}

function applyFields(entry: Fields, fields: readonly FieldChange[]): Fields {
  for (const { field, change, new: value } of fields) {
    const keys = field
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Fields>((at, key) => at[key] as Fields, entry);
    if (change === 'removed') delete parent[last];
    else parent[last] = value;
  }
  return entry;
}

function compare(lines: readonly string[], expected: readonly string[]) {
  const wanted = new Set(expected);
  const paths = lines.filter((line) => !wanted.has(line)).map((line) => (JSON.parse(line) as { path: string }).path);
  const isSame = lines.length === expected.length && lines.every((line, index) => line === expected[index]);
  const other = paths.length + Math.abs(lines.length - expected.length) + (isSame || paths.length > 0 ? 0 : 1);
  return { same: lines.length - paths.length, other, paths };
}
