import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { Composer } from '../../../src/areas/webhooks/chat/composer.service.ts';
import { MAX_DRAWINGS_PER_ROUND } from '../../../src/areas/webhooks/delivery/delivery.data.ts';
import type { DesignedImages } from '../../../src/areas/webhooks/designs/designs.service.ts';
import { createDesigns } from '../../../src/areas/webhooks/designs/index.ts';
import { WebhookTemplate } from '../../../src/areas/webhooks/events/template.schemas.ts';
import type { WebhookEvent } from '../../../src/areas/webhooks/events/webhook-events.domain.ts';
import { webhookDeliveries, webhookDesigns, webhooks } from '../../../src/areas/webhooks/records/webhooks.tables.ts';
import { DEFAULT_SETTINGS, WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { eventually } from '../../support/eventually.ts';
import { PIXEL, svg } from '../../support/webhooks/drawings.ts';
import { outcome, type PortalClient, portalWorld, signedInPerson } from '../accounts/world.ts';
import {
  clearWebhooksEachTest,
  db,
  drawings,
  freshAddress,
  freshEvent,
  pendingDeliveries,
  queueEvents,
  register,
  senderWorld,
  stateOf,
} from './world.ts';

const PNG = new Uint8Array([137, 80, 78, 71, 1, 2, 3]);
const MAX_COST_MS = 10_000;
/** Counted cost of an image of `imagesOf`. */
const COST_MS = 500;
const template = WebhookTemplate.parse({ enabled: true, title: 'x', image_design_id: 'design' });

const imagesOf = (render: DesignedImages['render']) => ({ render: vi.fn(render), costOf: async () => COST_MS, owns: async () => true });
const serviceImages = () =>
  createDesigns({ db, assets: env.ASSETS, drawings, events: WEBHOOK_EVENTS, newId: () => crypto.randomUUID() }).images;

clearWebhooksEachTest();

describe('POST /v1/webhooks/{id}/test', () => {
  /** The portal with a sender object that posts to a mock chat service. */
  function world(images = imagesOf(async () => PNG)) {
    const sending = senderWorld({ images });
    const object = { postTest: (...call: Parameters<typeof sending.sender.test>) => sending.sender.test(...call) };
    const objects = { getByName: () => object } as unknown as Env['WEBHOOK_SENDERS'];
    return { portal: portalWorld({ bindings: { WEBHOOK_SENDERS: objects } }), images, chat: sending.chat };
  }

  async function registered(client: PortalClient): Promise<string> {
    const { body } = await client.post('/v1/webhooks', { url: freshAddress(), events: ['challenge', 'game_update'] });
    return `/v1/webhooks/${body.id}/test`;
  }

  const bannerCost = ({ now }: PortalClient) =>
    serviceImages().costOf(null, 'game_update', WEBHOOK_EVENTS.sampleVariables('game_update', now));

  /** Spends the limit of the account except for `leftMs`. */
  async function spend(client: PortalClient, leftMs: number): Promise<void> {
    const { body } = await client.get('/auth/me');
    await drawings.charge(body.id, MAX_COST_MS - leftMs, DEFAULT_SETTINGS, client.now);
  }

  it('fails without a post while the sender object has an older version without the event', async () => {
    const { sender, chat } = senderWorld({ images: imagesOf(async () => PNG) });
    const result = await sender.test('any', 'event_of_the_next_version', 0, false);
    expect(result).toEqual({ ok: false, status: null, error: 'this event is not available yet: try again in a minute' });
    expect(await chat.posted()).toEqual([]);
  });

  it('charges the counted cost of a drawn image to the account', async () => {
    const { portal, images } = world();
    const { client } = await signedInPerson(portal);
    const path = await registered(client);
    await spend(client, (await bannerCost(client)) + 60);
    expect((await client.post(`${path}?event=game_update`)).body.ok).toBe(true);
    expect(images.render).toHaveBeenCalledTimes(1);
    const preview = () => client.post('/v1/webhooks/designs/preview', { event: 'challenge', svg: 'no drawing' });
    expect([outcome(await preview()), outcome(await preview())]).toEqual(['422 validation_error', '429 rate_limited']);
  });

  it('returns 429 when the limit does not allow the image, unless the message has no image', async () => {
    const { portal, images, chat } = world();
    const { client } = await signedInPerson(portal);
    const path = await registered(client);
    await spend(client, (await bannerCost(client)) - 1);
    const refused = await client.post(`${path}?event=game_update`);
    expect([outcome(refused), Number(refused.headers.get('Retry-After'))]).toEqual(['429 rate_limited', expect.any(Number)]);
    expect(refused.body.error.message).toBe('drawings may take 10 s of processor time in 60 seconds');
    expect((await client.post(path)).body.ok).toBe(true);
    expect((await client.post(`${path}?event=challenge`)).body.ok).toBe(true);
    expect(images.render).not.toHaveBeenCalled();
    expect(await chat.posted()).toHaveLength(2);
    client.now += 60;
    expect((await client.post(`${path}?event=game_update`)).body.ok).toBe(true);
    expect((await chat.posted()).at(-1)?.files).toHaveLength(1);
  });

  it('allows cheap drawings after an expensive one was refused', async () => {
    const { client } = await signedInPerson(portalWorld());
    await spend(client, 200);
    const preview = (content: string, attributes?: string) =>
      client.post('/v1/webhooks/designs/preview', { event: 'challenge', svg: svg(content, attributes) });
    const layers = '<rect width="1600" height="1600" fill="red"/>'.repeat(5);
    expect(outcome(await preview(layers, 'width="1600" height="1600"'))).toBe('429 rate_limited');
    expect((await preview('<rect width="5" height="5"/>')).status).toBe(200);
  });
});

describe('a delivery with an image', () => {
  const delivery = async (images: DesignedImages, options: Parameters<typeof senderWorld>[0] = {}) => {
    const world = senderWorld({ images, ...options });
    const webhook = await register({ templates: { challenge: template } });
    await queueEvents(world.time, freshEvent());
    return { ...world, webhook };
  };

  it('counts the attempt before drawing', async () => {
    const tries: number[] = [];
    const images = imagesOf(async () => {
      tries.push(...(await pendingDeliveries()).map((row) => row.tries));
      return PNG;
    });
    const { webhook, drain } = await delivery(images);
    await drain(webhook.sender);
    expect(tries).toEqual([1]);
  });

  it('is sent without its image after the drawing has crashed the object twice', async () => {
    let isDown = false;
    const images = imagesOf(() => {
      isDown = true;
      return new Promise(() => {});
    });
    const first = await delivery(images);
    for (let round = 0; round < 5; round += 1) {
      isDown = false;
      const { sender } = senderWorld({ images, time: first.time, chat: first.chat });
      let isOver = false;
      void sender.round(first.webhook.sender).then(() => {
        isOver = true;
      });
      await eventually(() => expect(isDown || isOver).toBe(true));
      first.time.clock.now += 30_000;
    }
    expect(images.render).toHaveBeenCalledTimes(2);
    expect(await first.chat.posted()).toMatchObject([{ message: { embeds: [{ title: 'x' }] }, files: [] }]);
    expect(await stateOf(first.webhook.id)).toMatchObject({ isActive: true, failures: 0, lastStatus: 204 });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('fails after three attempts when its message cannot be composed', async () => {
    const compose = vi.fn(() => Promise.reject(new Error('broken')));
    const composer: Composer = {
      draws: () => true,
      drawingCost: async () => COST_MS,
      compose,
      preview: () => {
        throw new Error('not here');
      },
      connected: () => {
        throw new Error('not here');
      },
    };
    const { webhook, drain } = await delivery(
      imagesOf(async () => PNG),
      { composer },
    );
    await drain(webhook.sender);
    expect(compose).toHaveBeenCalledTimes(3);
    expect([await pendingDeliveries(), (await stateOf(webhook.id))?.failures]).toEqual([[], 1]);
  });

  it('counts for its account and waits for the next window when the rate limit is reached', async () => {
    const images = imagesOf(async () => PNG);
    const { webhook, time, sender, chat, drain } = await delivery(images);
    const seconds = () => Math.floor(time.clock.now / 1000);
    await drawings.charge(webhook.userId, MAX_COST_MS - COST_MS + 1, DEFAULT_SETTINGS, seconds());
    const next = await sender.round(webhook.sender);
    expect(next).toBe((Math.floor(seconds() / 60) + 1) * 60_000);
    expect(await pendingDeliveries()).toMatchObject([{ tries: 0, dueAt: next }]);
    expect(images.render).not.toHaveBeenCalled();
    await drain(webhook.sender);
    expect((await chat.posted())[0]?.files).toHaveLength(1);
    expect((await drawings.charge(webhook.userId, 1, DEFAULT_SETTINGS, seconds())).used).toBe(COST_MS + 1);
  });

  it('waits for the next round after the maximum number of drawings, without delaying messages without an image', async () => {
    const images = imagesOf(async () => PNG);
    const world = senderWorld({ images });
    const extra = 2;
    for (let count = 0; count < MAX_DRAWINGS_PER_ROUND + extra; count += 1) await register({ templates: { challenge: template } });
    const plain = await register();
    await db.update(webhooks).set({ sender: plain.sender });
    await queueEvents(world.time, freshEvent());
    expect(await world.sender.round(plain.sender)).toBe(world.time.clock.now);
    expect(images.render).toHaveBeenCalledTimes(MAX_DRAWINGS_PER_ROUND);
    expect(await stateOf(plain.id)).toMatchObject({ lastStatus: 204 });
    expect((await db.select().from(webhookDeliveries)).map(({ tries }) => tries)).toEqual(Array(extra).fill(0));
    expect(await world.sender.round(plain.sender)).toBeNull();
    expect(images.render).toHaveBeenCalledTimes(MAX_DRAWINGS_PER_ROUND + extra);
  });
});

describe('the SVG subset of designs', () => {
  const LARGE = 'width="1600" height="1600"';
  const pattern =
    '<pattern id="a" patternUnits="userSpaceOnUse" width="3" height="3" patternTransform="rotate(33)"><rect width="2" height="2"/></pattern>';
  const gradient = '<linearGradient id="a" x2="0.001" spreadMethod="reflect"><stop/><stop offset="1" stop-color="red"/></linearGradient>';

  it.each([
    [
      'a rotated pattern',
      `${pattern}${'<rect width="1600" height="1600" fill="url(#a)"/>'.repeat(10)}`,
      'the element pattern is not allowed',
    ],
    [
      'a stretched image with use',
      `<image id="a" href="${PIXEL}" width="1600" height="1600"/>${'<use href="#a"/>'.repeat(10)}`,
      'the element use is not allowed',
    ],
    [
      'a stretched image',
      `<image href="${PIXEL}" width="1600" height="1600" preserveAspectRatio="none"/>`,
      'image: must not be drawn larger than its own 1 x 1 pixels',
    ],
    [
      'a reflecting gradient',
      `${gradient}${'<rect width="1600" height="1600" fill="url(#a)"/>'.repeat(10)}`,
      'linearGradient: spreadMethod must be pad',
    ],
  ])('refuses %s', async (_, content, reason) => {
    const { client } = await signedInPerson(portalWorld());
    const { status, body } = await client.post('/v1/webhooks/designs/preview', { event: 'challenge', svg: svg(content, LARGE) });
    expect([status, body.error.details]).toMatchObject([422, [{ loc: ['body', 'svg'], msg: reason }]]);
  });

  it('reports an unsupported stored design to its owner and sends messages without the image', async () => {
    const { client } = await signedInPerson(portalWorld());
    const path = '/v1/webhooks/designs';
    const allowed = svg('<g id="a"><rect width="5" height="5"/></g>');
    const { body: design } = await client.post(path, { name: 'Mine', event: 'challenge', svg: allowed });
    expect(design.problem).toBeNull();
    await db
      .update(webhookDesigns)
      .set({ svg: allowed.replace('</svg>', '<use href="#a"/></svg>') })
      .where(eq(webhookDesigns.id, design.id));
    const problemsOf = async () => (await client.get(path)).body.items.map(({ problem }: { problem: string | null }) => problem);
    expect(await problemsOf()).toEqual(['the element use is not allowed']);
    expect((await client.get('/auth/me/export')).body.webhook_designs[0].problem).toBe('the element use is not allowed');

    const world = senderWorld({ images: serviceImages() });
    const event: WebhookEvent = 'challenge';
    const webhook = await register({ templates: { [event]: { ...template, image_design_id: design.id } } });
    await queueEvents(world.time, freshEvent(event));
    await world.drain(webhook.sender);
    expect(await world.chat.posted()).toMatchObject([{ message: { embeds: [{ title: 'x' }] }, files: [] }]);

    expect((await client.send('PATCH', `${path}/${design.id}`, { name: 'Renamed' })).body.problem).toBe('the element use is not allowed');
    expect((await client.send('PATCH', `${path}/${design.id}`, { svg: allowed })).body.problem).toBeNull();
    expect(await problemsOf()).toEqual([null]);
  });
});
