import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { bundledInterestItems } from '../../../src/areas/misc/interest-items.data.ts';
import { interestItems, supporters } from '../../../src/areas/misc/misc.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const db = createDatabase(env.DB);
const authorization = bearer(await createSuperuserToken());

/** A new isolate. */
const createIsolate = () => testApp();

async function sendAsAdmin(method: string, path: string, body?: unknown, fetch = createIsolate()) {
  const response = await call(`/admin${path}`, { method, authorization, json: body }, fetch);
  return { status: response.status, body: JSON.parse(response.text) };
}

const getList = async (path: string, fetch = createIsolate()) => JSON.parse((await call(`/v1/misc/${path}`, {}, fetch)).text);

beforeEach(async () => {
  await db.batch([db.delete(interestItems), db.delete(supporters)]);
});

describe('GET /v1/misc/interest-items', () => {
  const PATH = '/market/interest-items';

  it('returns the bundled list while nothing is stored', async () => {
    expect(bundledInterestItems).toHaveLength(310);
    expect(new Set(bundledInterestItems).size).toBe(310);
    expect(await getList('interest-items')).toEqual({ items: bundledInterestItems, count: 310 });
    expect((await sendAsAdmin('GET', PATH)).body.count).toBe(310);
    expect(await db.select().from(interestItems)).toEqual([]);
  });

  it('applies the first change to the bundled list', async () => {
    const added = await sendAsAdmin('POST', PATH, { name: '  Äther Soul ' });
    expect([added.status, added.body.count]).toEqual([201, 311]);
    expect(added.body.items.at(-1)).toBe('Äther Soul');
    const removed = await sendAsAdmin('DELETE', `${PATH}/${encodeURIComponent("Adventurer's Bento Box")}`);
    expect([removed.status, removed.body.count]).toEqual([200, 310]);
    const { items } = await getList('interest-items');
    expect(items).toContain('Äther Soul');
    expect(items).not.toContain("Adventurer's Bento Box");
  });

  it('can delete the first bundled item first', async () => {
    expect((await sendAsAdmin('DELETE', `${PATH}/${encodeURIComponent('Acrobat Bark')}`)).body.count).toBe(309);
  });

  it('replaces the list and sorts it by code point', async () => {
    const names = ['b', ' a ', 'B', 'ä', 'b', '😀', '\uffee'];
    const { status, body } = await sendAsAdmin('PUT', PATH, { names });
    expect([status, body]).toEqual([200, { items: ['B', 'a', 'b', 'ä', '\uffee', '😀'], count: 6 }]);
    expect(await getList('interest-items')).toEqual(body);
    await sendAsAdmin('DELETE', `${PATH}/a`);
    expect((await sendAsAdmin('GET', PATH)).body.items).toEqual(['B', 'b', 'ä', '\uffee', '😀']);
  });

  it('accepts thousands of names in one request', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `Item number ${index} of a rather long list`);
    expect((await sendAsAdmin('PUT', PATH, { names })).body.count).toBe(5000);
  });

  it.each<[string, string, unknown, number, string]>([
    ['POST', PATH, { name: 'Bardium' }, 409, 'conflict'],
    ['POST', PATH, { name: '  ' }, 400, 'bad_request'],
    ['POST', PATH, { name: 'a\nb' }, 422, 'validation_error'],
    ['POST', PATH, { name: 'x'.repeat(201) }, 422, 'validation_error'],
    ['POST', PATH, {}, 422, 'validation_error'],
    ['PUT', PATH, { names: [] }, 400, 'bad_request'],
    ['PUT', PATH, { names: ['a', ''] }, 400, 'bad_request'],
    ['PUT', PATH, { names: 'a' }, 422, 'validation_error'],
    ['DELETE', `${PATH}/bardium`, undefined, 404, 'not_found'],
    ['POST', '/supporters', { name: '' }, 400, 'bad_request'],
    ['PUT', '/supporters', { names: [] }, 400, 'bad_request'],
    ['DELETE', '/supporters/nobody', undefined, 404, 'not_found'],
  ])('rejects %s %s with %j', async (method, path, body, status, code) => {
    const response = await sendAsAdmin(method, path, body);
    expect([response.status, response.body.error.code]).toEqual([status, code]);
    expect(await getList('interest-items')).toMatchObject({ count: 310 });
  });
});

describe('GET /v1/misc/supporters', () => {
  it('starts empty and keeps insertion order', async () => {
    const { headers, text } = await call('/v1/misc/supporters', {}, createIsolate());
    expect(JSON.parse(text)).toEqual({ supporters: [], count: 0 });
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    for (const name of ['Zoe', 'Adam', 'Mia']) expect((await sendAsAdmin('POST', '/supporters', { name })).status).toBe(201);
    expect((await sendAsAdmin('POST', '/supporters', { name: ' Adam ' })).status).toBe(409);
    await sendAsAdmin('DELETE', '/supporters/Adam');
    await sendAsAdmin('POST', '/supporters', { name: 'Adam' });
    expect(await getList('supporters')).toEqual({ supporters: ['Zoe', 'Mia', 'Adam'], count: 3 });
    const replaced = await sendAsAdmin('PUT', '/supporters', { names: ['Mia', 'Zoe', 'Mia', 'Ben'] });
    expect(replaced.body).toEqual({ supporters: ['Mia', 'Zoe', 'Ben'], count: 3 });
  });
});

describe('name list', () => {
  it('is cached in the isolate, except after its own writes', async () => {
    const here = createIsolate();
    expect((await getList('supporters', here)).count).toBe(0);
    await sendAsAdmin('POST', '/supporters', { name: 'Zoe' });
    expect((await getList('supporters', here)).count).toBe(0);
    expect((await getList('supporters')).count).toBe(1);
    await sendAsAdmin('POST', '/supporters', { name: 'Mia' }, here);
    expect((await getList('supporters', here)).count).toBe(2);
  });

  it('is cacheable for 30 seconds (items) or five minutes (supporters)', async () => {
    expect((await call('/v1/misc/interest-items', {}, createIsolate())).headers.get('Cache-Control')).toBe('public, max-age=30');
  });

  it('requires a superuser with every scope for writes', async () => {
    const ordinary = bearer(await createToken());
    const narrow = bearer(await createSuperuserToken({ scopes: 16 }));
    for (const path of ['/admin/supporters', '/admin/market/interest-items']) {
      expect((await call(path, {}, createIsolate())).status).toBe(401);
      expect((await call(path, { authorization: ordinary }, createIsolate())).status).toBe(403);
      expect((await call(path, { authorization: narrow }, createIsolate())).status).toBe(403);
    }
  });
});
