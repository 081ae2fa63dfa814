import { env } from 'cloudflare:workers';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createComposer } from '../../../src/areas/webhooks/chat/composer.service.ts';
import { MAX_DESIGNS } from '../../../src/areas/webhooks/designs/design.data.ts';
import { startersOf } from '../../../src/areas/webhooks/designs/design-starters.data.ts';
import { createDesigns } from '../../../src/areas/webhooks/designs/index.ts';
import { renderSvg } from '../../../src/platform/kit/images/svg-renderer.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { svg } from '../../support/webhooks/drawings.ts';
import { outcome, type PortalClient, portalWorld, signedInPerson } from '../accounts/world.ts';
import { drawings, freshAddress } from './world.ts';

const world = portalWorld();
const PATH = '/v1/webhooks/designs';
const WISH = { name: 'Mine', event: 'challenge', svg: svg('<text x="5" y="50" font-size="30">{name}</text>') };

const createDesign = (client: PortalClient, changes: object = {}) => client.post(PATH, { ...WISH, ...changes });
const images = () =>
  createDesigns({ db: createDatabase(env.DB), assets: env.ASSETS, drawings, events: WEBHOOK_EVENTS, newId: () => crypto.randomUUID() })
    .images;

/** Size of an 8-bit PNG, and the number of bytes that differ from the first pixel. */
function readPng(bytes: Uint8Array): { width: number; height: number; marks(): number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const data: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const marks = () => inflateSync(Buffer.concat(data)).reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0);
  return { width: view.getUint32(16), height: view.getUint32(20), marks };
}

describe('/v1/webhooks/designs', () => {
  it('creates, lists, edits and deletes designs', async () => {
    const { client } = await signedInPerson(world);
    expect((await client.get(PATH)).body).toEqual({ items: [], count: 0 });
    const created = await createDesign(client);
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject({ ...WISH, width: 200, height: 100 });
    client.now += 60;
    const wider = svg('', 'width="300" height="40"');
    const changed = await client.send('PATCH', `${PATH}/${created.body.id}`, { svg: wider, name: ' Wide ' });
    expect(changed.body).toMatchObject({
      ...created.body,
      svg: wider,
      name: 'Wide',
      width: 300,
      height: 40,
      updated_at: expect.any(String),
    });
    expect(changed.body.updated_at).not.toBe(created.body.updated_at);
    const second = await createDesign(client, { event: 'mod_release' });
    expect((await client.get(PATH)).body).toEqual({ items: [second.body, changed.body], count: 2 });
    expect((await client.send('DELETE', `${PATH}/${created.body.id}`)).status).toBe(204);
    expect(outcome(await client.send('DELETE', `${PATH}/${created.body.id}`))).toBe('404 not_found');
    expect(outcome(await client.send('PATCH', `${PATH}/${created.body.id}`, {}))).toBe('404 not_found');
    expect((await client.get(PATH)).body.count).toBe(1);
  });

  it('allows ten seconds of processor time a minute, including failed drawings', async () => {
    const { client } = await signedInPerson(world);
    const preview = (svgText: string) => client.post(`${PATH}/preview`, { event: 'challenge', svg: svgText });
    const { body } = await client.get('/auth/me');
    await drawings.charge(body.id, 9880, DEFAULT_SETTINGS, client.now);
    expect([outcome(await preview('no drawing')), outcome(await preview('no drawing'))]).toEqual(Array(2).fill('422 validation_error'));
    expect(outcome(await preview(WISH.svg))).toBe('429 rate_limited');
    expect(outcome(await createDesign(client))).toBe('429 rate_limited');
    client.now += 60;
    expect((await preview(WISH.svg)).status).toBe(200);
  });

  it('returns 404 for designs of other accounts', async () => {
    const [one, other] = [await signedInPerson(world), await signedInPerson(world)];
    const { body } = await createDesign(one.client);
    expect(outcome(await other.client.send('PATCH', `${PATH}/${body.id}`, { name: 'Stolen' }))).toBe('404 not_found');
    expect(outcome(await other.client.send('DELETE', `${PATH}/${body.id}`))).toBe('404 not_found');
    expect((await other.client.get(PATH)).body.count).toBe(0);
    const me = (await one.client.get('/auth/me')).body.id;
    expect(await images().owns(me, body.id, 'challenge')).toBe(true);
    expect(await images().owns(me, body.id, 'game_update')).toBe(false);
    expect(await images().owns('somebody', body.id, 'challenge')).toBe(false);
  });

  it('allows ten designs per account, also for concurrent requests', async () => {
    const { client } = await signedInPerson(world);
    const responses = await Promise.all(Array.from({ length: MAX_DESIGNS + 2 }, () => createDesign(client)));
    expect(responses.map(outcome).sort()).toEqual([...Array(MAX_DESIGNS).fill('201'), '400 bad_request', '400 bad_request']);
  });

  it('exports and deletes designs with the account', async () => {
    const { client, email } = await signedInPerson(world);
    const { body } = await createDesign(client);
    expect((await client.get('/auth/me/export')).body.webhook_designs).toEqual([body]);
    expect((await client.post('/auth/delete-account', { confirm_email: email, password: PASSWORD })).status).toBe(204);
    expect(await images().render(body.id, 'challenge', {})).toBeNull();
  });

  it('requires a session and the enabled feature', async () => {
    const stranger = world.client();
    expect(outcome(await stranger.get(PATH))).toBe('401 not_authenticated');
    expect(outcome(await createDesign(stranger))).toBe('401 not_authenticated');
    for (const setting of ['featureImageStudioEnabled', 'featureWebhooksEnabled']) {
      const off = portalWorld({ settings: { [setting]: false } });
      const { client } = await signedInPerson(off);
      expect(outcome(await client.get(PATH)), setting).toBe('404 not_found');
      expect(outcome(await createDesign(client)), setting).toBe('404 not_found');
    }
  });

  it('returns 422 with the field and the error', async () => {
    const { client } = await signedInPerson(world);
    for (const [changes, field] of [
      [{ svg: svg('<script/>') }, 'svg'],
      [{ svg: 'x'.repeat(65 * 1024) }, 'svg'],
      [{ svg: svg(`<!--${'ä'.repeat(40_000)}-->`) }, 'svg'],
      [{ svg: '' }, 'svg'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ event: 'nope' }, 'event'],
    ] as const) {
      const { status, body } = await createDesign(client, changes);
      expect([status, body.error.details[0].loc]).toEqual([422, ['body', field]]);
    }
    expect((await client.get(PATH)).body.count).toBe(0);
  });
});

describe('POST /v1/webhooks/designs/preview', () => {
  it('returns an image in the size of the design with the sample values', async () => {
    const { client } = await signedInPerson(world);
    const preview = (text: string) =>
      client.post(`${PATH}/preview`, { event: 'challenge', svg: svg(`<text y="50" font-size="30">${text}</text>`) });
    const [named, empty, other] = [await preview('{name}'), await preview('{unknown}'), await preview('{type_label}')];
    expect([named.status, named.headers.get('Content-Type'), named.headers.get('Cache-Control')]).toEqual([200, 'image/png', 'no-store']);
    expect(readPng(named.bytes)).toMatchObject({ width: 200, height: 100 });
    expect(readPng(empty.bytes).marks()).toBeLessThan(readPng(other.bytes).marks());
    expect(readPng(other.bytes).marks()).toBeLessThan(readPng(named.bytes).marks());
  });

  it('returns 422 for unsupported content', async () => {
    const { client } = await signedInPerson(world);
    const { status, body } = await client.post(`${PATH}/preview`, { event: 'challenge', svg: svg('<image href="http://a/b.png"/>') });
    expect([status, body.error.code, body.error.message]).toEqual([
      422,
      'validation_error',
      'body.svg: image: href must be a fragment (#id) or a data: URL of a PNG or JPEG',
    ]);
  });

  it('draws each starter design', async () => {
    const { client } = await signedInPerson(world);
    const { items } = (await client.get(`${PATH}/starters`)).body;
    expect(items).toEqual(startersOf(WEBHOOK_EVENTS));
    for (const { event, svg: drawing } of items) {
      const { bytes } = await client.post(`${PATH}/preview`, { event, svg: drawing });
      expect(readPng(bytes)).toMatchObject({ width: 1000, height: 320 });
    }
  });
});

describe('image of a message', () => {
  const variables = WEBHOOK_EVENTS.sampleVariables('game_update', 0);

  it('is the default banner for a game update without a design', async () => {
    const banner = await images().render(null, 'game_update', variables);
    const other = await images().render(null, 'game_update', { ...variables, version_tag: 'ANOTHER' });
    expect(readPng(banner ?? new Uint8Array())).toMatchObject({ width: 1000, height: 320 });
    expect(other).not.toEqual(banner);
    expect(await images().render(null, 'challenge', {})).toBeNull();
  });

  it('is drawn from the current version of the design', async () => {
    const { client } = await signedInPerson(world);
    const { body } = await createDesign(client);
    const before = await images().render(body.id, 'challenge', { name: 'Now' });
    await client.send('PATCH', `${PATH}/${body.id}`, { svg: svg('', 'width="60" height="40"') });
    const after = await images().render(body.id, 'challenge', { name: 'Now' });
    expect([readPng(before ?? new Uint8Array()).width, readPng(after ?? new Uint8Array()).width]).toEqual([200, 60]);
  });

  it('is null for a deleted design, a design of another event, or values that break the design', async () => {
    const { client } = await signedInPerson(world);
    const spoilt = svg('<rect width="{count}" height="5"/>');
    const { body } = await createDesign(client, { svg: spoilt });
    expect(await images().render('gone', 'challenge', {})).toBeNull();
    expect(await images().render(body.id, 'mod_release', {})).toBeNull();
    expect(await images().render(body.id, 'challenge', { count: 'a lot' })).toBeNull();
    expect(await images().render(body.id, 'challenge', { count: 5 })).not.toBeNull();
  });

  it('is attached only to messages of the owner of the design', async () => {
    const composed = await createComposer(images(), WEBHOOK_EVENTS).compose('game_update', null, variables, true);
    expect(composed.message.embeds[0]?.image).toEqual({ url: 'attachment://embed-image.png' });
    expect(composed.files).toMatchObject([{ name: 'embed-image.png', contentType: 'image/png', size: expect.any(Number) }]);
    const [one, other] = [await signedInPerson(world), await signedInPerson(world)];
    const { body: design } = await createDesign(one.client);
    const input = (event: string) => ({
      url: freshAddress(),
      events: [event],
      templates: { [event]: { enabled: true, image_design_id: design.id } },
    });
    expect((await one.client.post('/v1/webhooks', input('challenge'))).status).toBe(201);
    for (const [client, event] of [
      [other.client, 'challenge'],
      [one.client, 'mod_release'],
    ] as const) {
      const { status, body } = await client.post('/v1/webhooks', input(event));
      expect([status, body.error.details[0].loc]).toEqual([422, ['body', 'templates', event, 'image_design_id']]);
    }
  });

  it('is drawn in the bundled fonts for any font family', async () => {
    const { client } = await signedInPerson(world);
    const preview = async (family: string) => {
      const text = `<text y="50" font-size="30" font-family="${family}">{name}</text>`;
      return (await client.post(`${PATH}/preview`, { event: 'challenge', svg: svg(text) })).bytes;
    };
    const [standard, unknown, named] = [await preview('Exo 2'), await preview('Comic Sans'), await preview('Open Sans')];
    expect(unknown).toEqual(standard);
    expect(named).not.toEqual(standard);
  });
});

describe('design renderer', () => {
  it('draws the next design after a crash of the renderer', async () => {
    const fine = svg('<rect width="50" height="50"/>');
    const expected = await renderSvg(fine);
    await expect(renderSvg('<svg>')).rejects.toThrow();
    // Too large for the memory of the renderer.
    await renderSvg(svg('<rect/>', 'width="60000" height="60000"')).catch(() => {});
    expect(await renderSvg(fine)).toEqual(expected);
  });
});
