import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { seedCodex } from '../../support/codex/seeded-codex.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';

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

  it('return 404 for a version without changes', async () => {
    expect((await read('/codex/changes/1')).status).toBe(404);
    expect((await read('/codex/changes/77')).status).toBe(404);
  });
});

describe('crafting page', () => {
  it('shows the item with its quantity, and 404 for an unknown path', async () => {
    const { status, text } = await read(`/codex/crafting?path=${PATH}&quantity=3`);
    expect([status, text.includes('Crafting Cat'), text.includes('value="3"')]).toEqual([200, true, true]);
    expect((await read('/codex/crafting?path=item/nothing')).status).toBe(404);
  });
});
