import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDesignsService } from '../../../src/areas/webhooks/designs/designs.service.ts';
import { createDesignsStore, type DesignsStore } from '../../../src/areas/webhooks/designs/designs.store.ts';
import { WebhookTemplate } from '../../../src/areas/webhooks/events/template.schemas.ts';
import type { WebhooksStore } from '../../../src/areas/webhooks/records/webhooks.store.ts';
import { webhookDesigns, webhooks } from '../../../src/areas/webhooks/records/webhooks.tables.ts';
import { DEFAULT_SETTINGS, WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { createAccount } from '../../support/tokens.ts';
import { svg } from '../../support/webhooks/drawings.ts';
import { registerSigned, signedService } from './signed/signed-world.ts';
import { changes, clearWebhooks, db, drawings, register, repository, stoppedClock, webhooksService } from './world.ts';

const NOW = 1_773_156_630;
const TEXT = svg('<text x="5" y="50">{name}</text>');
const RECT = svg('<rect width="5" height="5"/>', 'width="300" height="40"');

beforeEach(clearWebhooks);

const templatesOf = async (id: string) => {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return {
    events: row?.events,
    templates: Object.fromEntries(Object.entries(row?.templates ?? {}).map(([key, { title }]) => [key, title])),
  };
};
const template = (title: string) => WebhookTemplate.parse({ enabled: true, title });

/** Webhooks whose first read is followed by an action. */
function readThen(action: () => Promise<unknown>): WebhooksStore {
  let isDone = false;
  return {
    ...repository,
    async find(...given) {
      const found = await repository.find(...given);
      if (!isDone) {
        isDone = true;
        await action();
      }
      return found;
    },
  };
}

describe('concurrent edits of a webhook', () => {
  it('keep new templates when the events change meanwhile', async () => {
    const { id, userId } = await register({ events: ['challenge', 'mod_release'], templates: { challenge: template('old') } });
    const slow = webhooksService(readThen(() => changes.edit(userId, id, { templates: { challenge: template('new') } })));
    await slow.edit(userId, id, { events: ['challenge', 'game_update'] });
    expect(await templatesOf(id)).toEqual({ events: ['challenge', 'game_update'], templates: { challenge: 'new' } });
  });

  it('delete the templates of events that are removed meanwhile', async () => {
    const { id, userId } = await register({ events: ['challenge', 'mod_release'] });
    const slow = webhooksService(readThen(() => changes.edit(userId, id, { events: ['challenge'] })));
    await slow.edit(userId, id, { templates: { challenge: template('a'), mod_release: template('b') } });
    expect(await templatesOf(id)).toEqual({ events: ['challenge'], templates: { challenge: 'a' } });
  });
});

describe('concurrent rotations of a signing secret', () => {
  it('return one new secret, which signs', async () => {
    const { id, userId, service } = await registerSigned();
    let other: unknown;
    const slow = signedService(
      stoppedClock().nowMs,
      undefined,
      readThen(async () => {
        other = await service.rotate(userId, id, 60);
      }),
    );
    await expect(slow.rotate(userId, id, 60)).rejects.toMatchObject({ code: 'conflict' });
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
    expect(other).toMatchObject({ webhook: { sealedSecret: row?.sealedSecret, sealedPreviousSecret: row?.sealedPreviousSecret } });
  });
});

describe('concurrent edits of a design', () => {
  const stored = createDesignsStore(db);
  const serviceOf = (designs: DesignsStore) =>
    createDesignsService({
      designs,
      events: WEBHOOK_EVENTS,
      draw: async () => new Uint8Array([1]),
      drawings,
      newId: () => crypto.randomUUID(),
    });
  const plain = serviceOf(stored);

  /** A design, and a service whose first read is followed by an edit. */
  async function editedMeanwhile(edit: Parameters<typeof plain.edit>[2]) {
    const userId = await createAccount();
    const { id } = await plain.create(userId, { name: 'Mine', event: 'challenge', svg: TEXT }, DEFAULT_SETTINGS, NOW);
    let isDone = false;
    const slow = serviceOf({
      ...stored,
      async byId(given) {
        const found = await stored.byId(given);
        if (!isDone) {
          isDone = true;
          await plain.edit(userId, id, edit, DEFAULT_SETTINGS, NOW + 1);
        }
        return found;
      },
    });
    const row = async () => (await db.select().from(webhookDesigns).where(eq(webhookDesigns.id, id)))[0];
    return { userId, id, slow, row };
  }

  it('keep a new drawing when the name changes meanwhile, and the reverse', async () => {
    const one = await editedMeanwhile({ svg: RECT });
    await one.slow.edit(one.userId, one.id, { name: 'Other' }, DEFAULT_SETTINGS, NOW + 2);
    expect(await one.row()).toMatchObject({ name: 'Other', svg: RECT, width: 300, height: 40 });
    const two = await editedMeanwhile({ name: 'Other' });
    await two.slow.edit(two.userId, two.id, { svg: RECT }, DEFAULT_SETTINGS, NOW + 2);
    expect(await two.row()).toMatchObject({ name: 'Other', svg: RECT, width: 300, height: 40 });
  });

  it.each([
    [{ svg: RECT }, { event: 'mod_release' as const }],
    [{ event: 'mod_release' as const }, { svg: RECT }],
  ])('reject a drawing that was not drawn for its event: %j', async (first, second) => {
    const { slow, userId, id, row } = await editedMeanwhile(first);
    await expect(slow.edit(userId, id, second, DEFAULT_SETTINGS, NOW + 2)).rejects.toMatchObject({ code: 'conflict' });
    expect(await row()).toMatchObject(first);
  });
});
