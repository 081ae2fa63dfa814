import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createCodexBuilder, seedCodex } from '../../support/codex/seeded-codex.ts';
import { SMALL_CODEX } from '../../support/codex/small-codex.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';
import { storeVersions } from '../../support/stored-versions.ts';

const PATH = 'prefabs/collections/mount/cat.binfab';

beforeAll(() => seedCodex(createDatabase(env.DB), createContentStore(env.ARCHIVE), 'live-us', FIRST_INSTANT));

const read = async (path: string) => {
  const { status, text, headers } = await call(path, { now: FIRST_INSTANT });
  return { status, text, type: headers.get('Content-Type') };
};

describe('pages of patch notes', () => {
  it('list the kept versions and link those with changes', async () => {
    const { status, text, type } = await read('/codex/changes');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<a href="/codex/changes/2">Version 2</a>');
    expect(text).toContain('0 new, 1 changed, 0 removed');
    expect(text).not.toContain('/codex/changes/1"');
  });

  it('show the fields of each entry before and after', async () => {
    const { status, text } = await read('/codex/changes/2');
    expect(status).toBe(200);
    expect(text).toContain(`/codex/mount/entry?path=${encodeURIComponent(PATH)}`);
    expect(text.replace(/\s+/g, ' ')).toMatch(/<th scope="row">mastery<\/th><td>25<\/td><td>50<span class="hint"> \(\+25\)<\/span><\/td>/);
  });

  it('show the items of a list that differ, with the fields that differ', async () => {
    const [db, contents] = [createDatabase(env.DB), createContentStore(env.ARCHIVE)];
    const build = createCodexBuilder(db, contents, 'live-us', FIRST_INSTANT);
    const [known] = SMALL_CODEX;
    if (!known) throw new Error('no entry');
    const stat = (name: string, amount: number) => ({ stat: `$${name}`, stat_name: name, amount, is_percent: false });
    const store = async (ordinal: number, stats: readonly object[], change: 'added' | 'modified') => {
      const staged: Staged = {};
      const entry = { ...known.entry, tradable: change === 'added', data: { stats } as unknown as typeof known.entry.data };
      stageEntry(staged, { ...known, entry }, `version ${ordinal}`, change);
      await createCodexWrites(db).stageRows('live-us', ordinal, staged);
      await build(ordinal);
    };
    await store(3, [stat('Damage', 302), stat('Luck', 5), stat('Glide', 1)], 'added');
    await store(4, [stat('Damage', 364), stat('Luck', 5)], 'modified');
    const { text } = await read('/codex/changes/4');
    expect(text).toContain('<td><div>Damage: amount 302</div><div>Glide: amount 1, is percent no</div></td>');
    expect(text).toContain('<td><div>Damage: amount 364</div></td>');
    expect(text).toContain('<th scope="row">tradable</th><td>yes</td><td>no</td>');
  });

  it('return 404 for a version without changes', async () => {
    expect((await read('/codex/changes/1')).status).toBe(404);
    expect((await read('/codex/changes/77')).status).toBe(404);
  });
});

describe('history on the page of an entry', () => {
  it('shows the changed fields before and after inside the page, for a version with patch notes', async () => {
    const file = (content: string) => ({ [PATH]: content });
    await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [
      { tag: 'TEST-1', capturedAt: FIRST_INSTANT - 9, files: file('one') },
      { tag: 'TEST-2', capturedAt: FIRST_INSTANT, files: file('two') },
    ]);
    const { status, text } = await read(`/codex/mount/entry?path=${encodeURIComponent(PATH)}`);
    expect(status).toBe(200);
    const section = text.slice(text.indexOf('<h2 id="history">'), text.indexOf('</main>')).replace(/\s+/g, ' ');
    expect(section).toContain('Changed in <a href="/updates/live-us/2">TEST-2</a>');
    expect(section).toContain('(<a href="/codex/changes/2">patch notes</a>)');
    expect(section).toMatch(/<details open(?:="")?><summary>1 changed field<\/summary>/);
    expect(section).toMatch(/<th scope="row">mastery<\/th><td>25<\/td><td>50<span class="hint"> \(\+25\)<\/span><\/td>/);
    expect(section).toContain('Added in <a href="/updates/live-us/1">TEST-1</a>');
    expect(section.match(/<details/g)).toHaveLength(1);
  });
});

describe('crafting page', () => {
  it('shows the item with its quantity, and 404 for an unknown path', async () => {
    const { status, text } = await read(`/codex/crafting?path=${PATH}&quantity=3`);
    expect([status, text.includes('Crafting Cat'), text.includes('value="3"')]).toEqual([200, true, true]);
    expect((await read('/codex/crafting?path=item/nothing')).status).toBe(404);
  });
});
