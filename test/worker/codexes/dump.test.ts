import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createDumpWrites } from '../../../src/areas/codexes/changes/dumps.store.ts';
import { type Staged, stageEntry, stageRemoved } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { writeDump } from '../../../src/areas/codexes/indexer/index-run.service.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { derivedEntry } from '../../support/codex/small-codex.ts';
import { call, FIRST_INSTANT, ORIGIN } from '../../support/requests.ts';

const db = createDatabase(env.DB);
const writes = createCodexWrites(db);
const contents = createContentStore(env.ARCHIVE);
const dumps = createDumpWrites(db, contents);
const pathOf = (name: string) => `prefabs/item/${name}.binfab`;

function stage(staged: Staged, name: string, blueprint: string | null, change: 'added' | 'modified'): void {
  const data = { stats: [], abilities: [] };
  const entry = derivedEntry({ type: 'item', path: pathOf(name), name, description: 'Größe', mastery: 5, blueprint, data });
  stageEntry(staged, entry, `${name}:${blueprint}`, change);
}

/** Builds a version, stores its dump and returns the lines of the dump by path. */
async function build(ordinal: number, staged: Staged): Promise<Map<string, string>> {
  await writes.stageRows('pts', ordinal, staged);
  await writes.applyBuild({ branch: 'pts', ordinal, parserVersion: PARSER_VERSION, now: FIRST_INSTANT + ordinal });
  await writeDump({ writes, contents, dumps, baseUrl: ORIGIN }, { branch: 'pts', ordinal, now: FIRST_INSTANT + ordinal });
  const dump = await env.DB.prepare("SELECT dump_sha256 AS hash FROM codex_branches WHERE branch = 'pts'").first<{ hash: string }>();
  const stored = await contents.bytes(dump?.hash ?? '');
  const lines = new TextDecoder()
    .decode(stored ?? new Uint8Array(0))
    .trimEnd()
    .split('\n');
  return new Map(lines.map((line) => [(JSON.parse(line) as { path: string }).path, line]));
}

const read = async (path: string) => {
  const { status, text } = await call(`/v1/codexes/${path}`);
  expect(status, text).toBe(200);
  return JSON.parse(text);
};

it('has the entries of the lists without `indexed_at`, so that changes turn one dump into the next', async () => {
  const first: Staged = {};
  for (const [name, blueprint] of [
    ['axe', 'axe [1].blueprint'],
    ['bow', 'bow.blueprint'],
    ['cup', null],
  ] as const) {
    stage(first, name, blueprint, 'added');
  }
  const lines = await build(1, first);
  const second: Staged = {};
  stage(second, 'axe', 'axe_2.blueprint', 'modified');
  stage(second, 'dart', 'dart.blueprint', 'added');
  stageRemoved(second, { path: pathOf('bow'), type: 'item' });
  const next = await build(2, second);
  const { items: changes } = await read('changes?branch=pts&since=1');
  for (const { path, change } of changes as { path: string; change: string }[]) {
    if (change === 'removed') lines.delete(path);
    else {
      const { items } = await read(`entries?branch=pts&paths=${encodeURIComponent(path)}`);
      const { indexed_at: _, ...entry } = items[0];
      lines.set(path, JSON.stringify(entry));
    }
  }
  expect([...lines].sort()).toEqual([...next]);
  expect(JSON.parse(next.get(pathOf('axe')) ?? '')).toMatchObject({
    image_url: `${ORIGIN}/v1/codexes/render?blueprint=axe_2.blueprint&dim=256&branch=pts`,
  });
});
