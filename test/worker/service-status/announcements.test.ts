import type { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { withQuickTimers } from '../../support/eventually.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { INPUT } from './announcement.ts';

let superuser: string;
beforeAll(async () => {
  superuser = bearer(await createSuperuserToken());
});

async function post(fetch: ReturnType<typeof testApp>, path: string, body: unknown, authorization = superuser) {
  const { status, text } = await call(path, { method: 'POST', authorization, json: body }, fetch);
  return { status, body: JSON.parse(text) };
}
/** As another isolate reads it: from the copy in KV. */
const read = async (path: string) => (await call(path, {}, testApp())).text;

describe('/admin/announcements', () => {
  it('shows an announcement with its updates on the status page, in its feed, in the API and for the header, until it is over', async () => {
    const fetch = testApp();
    const { status, body } = await post(fetch, '/admin/announcements', INPUT);
    expect(status).toBe(200);
    const { id } = body.items[0];
    expect(JSON.parse(await read('/status/announcement'))).toEqual({ title: INPUT.title, severity: 'degraded' });
    for (const path of ['/status', '/status.atom', '/v1/status']) expect(await read(path)).toContain(INPUT.title);

    expect((await post(fetch, `/admin/announcements/${id}/updates`, { text: 'Fixed <b>now</b>.', closes: true })).status).toBe(200);
    expect(JSON.parse(await read('/status/announcement'))).toEqual({ title: null, severity: null });
    expect(await read('/status')).toContain('Fixed &lt;b&gt;now&lt;/b&gt;.');
    expect((await post(fetch, `/admin/announcements/${id}/updates`, { text: 'More.' })).status).toBe(409);
    expect((await post(fetch, '/admin/announcements/unknown/updates', { text: 'More.' })).status).toBe(404);
  });

  it('names the field that is invalid, and is for superusers only', async () => {
    const fetch = testApp();
    for (const change of [{ title: '' }, { severity: 'huge' }, { parts: ['nothing'] }, { text: 'x'.repeat(1001) }, { title: 'a\nb' }]) {
      const { status, body } = await post(fetch, '/admin/announcements', { ...INPUT, ...change });
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(Object.keys(change)[0] ?? '')]);
    }
    expect((await post(fetch, '/admin/announcements', { ...INPUT, starts_at: 2000, ends_at: 1000 })).status).toBe(400);
    expect((await post(fetch, '/admin/announcements', INPUT, bearer(await createToken()))).status).toBe(403);
  });

  it('serves pages without the announcement while the copy cannot be read', async () => {
    const broken = { get: () => Promise.reject(new Error('down')), put: () => Promise.reject(new Error('down')) };
    const fetch = testApp({ bindings: { CACHE: broken as unknown as typeof env.CACHE } });
    expect((await call('/status/announcement', {}, fetch)).status).toBe(200);
    expect((await withQuickTimers(() => post(fetch, '/admin/announcements', INPUT))).status).toBe(503);
  });
});

describe('/status before the first check', () => {
  it('says that the state is not known, instead of an outage', async () => {
    const text = await read('/status');
    expect(text).toContain('<p class="overall unknown"><strong>Not known yet</strong>');
    expect(text).not.toContain('Outage: ');
  });
});
