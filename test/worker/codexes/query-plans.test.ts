import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRecipeTreeStore } from '../../../src/areas/codexes/crafting/recipe-tree.store.ts';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { recordingDatabase } from '../../support/query-plans.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const PATH = 'prefabs/collections/mount/cat.binfab';
const REQUESTS = [
  'types',
  'languages',
  'mount?limit=10',
  'mount?search=cat&sort=-mastery',
  'mount?stat=Light&sort=-stat_value',
  'mount?category=a&tradable=true',
  'mount?ability=x',
  'mount/categories',
  'mount/stat-keys',
  'mount/abilities',
  `mount/entry?path=${PATH}`,
  `entries?paths=${PATH}`,
  'search?q=a',
  'search?q=cat&sort=power_rank',
  `links?path=${PATH}`,
  `links?path=${PATH}&direction=in&rel=member_of`,
  'stats?stat=Light',
  'requirements?collection=x',
  'upgrades',
  'changes?since=0',
  'builds',
];
/** Reads of every row of a branch: its few builds and languages, and lists in the order of an index, which stop at the end of the page. */
const ALLOWED = /codex_(?:branches|dumps|languages)|(?:INDEX|codex_entries) codex_entries_(?:all|type)_/;

describe('reads of the codexes', () => {
  beforeAll(async () => {
    await storeBranch('live-us', 1, codexFiles({ seed: 11, entries: 72, version: 1 }));
    await indexBranch('live-us', 1_780_930_452);
  }, 120_000);

  it('run no query that reads every row of a branch', async () => {
    const { database, statements } = recordingDatabase();
    const db = createDatabase(database);
    const endpoints = await createCodexEndpoints(db, createContentStore(env.ARCHIVE));
    const fetch = testApp({ deps: { endpoints } });
    for (const path of REQUESTS) await call(`/v1/codexes/${path}`, {}, fetch);
    await createRecipeTreeStore(db).readGraph('live-us', PATH);
    const reads = [...statements].filter((statement) => /^(?:SELECT|WITH)\b/.test(statement) && statement.includes('codex_'));
    expect(reads.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const statement of reads) {
      const values = Array(statement.split('?').length - 1).fill('1');
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .bind(...values)
        .all<{ detail: string }>();
      for (const { detail } of results) if (/\(branch=\?\)/.test(detail) && !ALLOWED.test(detail)) found.push(`${detail}: ${statement}`);
    }
    expect(found).toEqual([]);
  });
});
