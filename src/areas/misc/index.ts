import { defineArea } from '../../platform/area/area.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createChatWebhook } from './chat-webhook.upstream.ts';
import { createFeedbackOutbox, createFeedbackService } from './feedback.service.ts';
import { createAttachmentStore, createFeedbackRepository } from './feedback.store.ts';
import { bundledInterestItems } from './interest-items.data.ts';
import { miscScopes, miscSettings } from './misc.settings.ts';
import { miscBackup } from './misc.tables.ts';
import { createNameListService, INTEREST_ITEMS_TTL_SECONDS, SUPPORTERS_TTL_SECONDS } from './name-lists.service.ts';
import { createInterestItemsList, createSupportersList } from './name-lists.store.ts';

/** URL that groups the embeds of a message when the service has no public URL. */
const FALLBACK_URL = 'https://example.com';
const FORWARD_TIMEOUT_SECONDS = 300;
const DELETE_TIMEOUT_SECONDS = 60;

interface MiscAreaDeps {
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  outbox: Outbox;
  /** Stores attachments until delivery. */
  outboxBucket: R2Bucket;
  upstream: UpstreamClient;
  companionProduct: string;
  /** Public URL of the service; may be empty. */
  publicUrl: string;
  chatBaseUrlOverride: string | null;
  newId(): string;
}

/** `/v1/misc`: time tools, lists and feedback. */
function createMiscArea({
  db,
  reads = db,
  outboxBucket,
  upstream,
  companionProduct,
  publicUrl,
  chatBaseUrlOverride,
  newId,
  ...deps
}: MiscAreaDeps) {
  const lists = {
    interestItems: createNameListService(createInterestItemsList(db, bundledInterestItems, reads), INTEREST_ITEMS_TTL_SECONDS),
    supporters: createNameListService(createSupportersList(db, reads), SUPPORTERS_TTL_SECONDS),
  };
  const repository = createFeedbackRepository(db);
  const store = createAttachmentStore(outboxBucket);
  const webhook = createChatWebhook(upstream, newId, chatBaseUrlOverride);
  const outbox = createFeedbackOutbox({ ...deps, repository, store, webhook, groupUrl: publicUrl || FALLBACK_URL });
  const service = createFeedbackService({ repository, store, outbox, newId });

  const endpoints = [
    lazyRoutes(['/v1/misc', '/admin'], async () => {
      const [{ createFeedbackEndpoint }, { createNameListAdminEndpoints }, { createNameListEndpoints }, { toolEndpoints }] =
        await Promise.all([
          import('./feedback.routes.ts'),
          import('./name-lists.routes.ts'),
          import('./name-lists.routes.ts'),
          import('./tools.routes.ts'),
        ]);
      return [
        ...toolEndpoints,
        ...createNameListEndpoints(lists),
        ...createNameListAdminEndpoints(lists),
        createFeedbackEndpoint({ service, outbox, companionProduct }),
      ];
    }),
  ];
  const jobs: Job[] = [
    {
      name: 'feedback-forward',
      schedule: { everySeconds: SECONDS_PER_MINUTE },
      timeoutSeconds: FORWARD_TIMEOUT_SECONDS,
      availability: ({ feedbackChatWebhook }) => (feedbackChatWebhook === '' ? 'unconfigured' : 'enabled'),
      run: (context) => outbox.drain(context),
    },
    {
      name: 'feedback-sweep',
      schedule: { everySeconds: SECONDS_PER_HOUR },
      timeoutSeconds: DELETE_TIMEOUT_SECONDS,
      run: ({ now }) => outbox.cleanUp(now),
    },
  ];
  return { endpoints, jobs, interestItems: lists.interestItems };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Names of the items that the market tracks. */
    interestItems(): Promise<readonly string[]>;
    /** The same names for clients, cached in the isolate. */
    cachedInterestItems(): readonly string[] | Promise<readonly string[]>;
  }
}

export const miscArea = defineArea({
  settings: miscSettings,
  scopes: miscScopes,
  tags: {
    Misc: 'Modding software, time zones and conversion, tracked items, supporters, game server status and feedback.',
  },
  stored: [
    {
      title: 'Feedback',
      what: 'The message, your contact if given, category, app version, the names of browser and operating system, and name, type and size of attached images. Forwarded to a chat channel of the operator if configured; the images are deleted after forwarding.',
      until:
        'Images for at most one day, the rest without a limit. Feedback is not linked to an account; contact the operator to have it deleted.',
      tables: ['feedback_entries', 'outbox'],
    },
    {
      title: 'Supporters',
      what: 'Names of supporters who agreed to be listed.',
      until: 'Until an administrator removes the name.',
      tables: ['supporters'],
    },
  ],
  impersonalTables: ['interest_items'],
  backup: miscBackup,
  create({ db, publicReads, env, environment, outbox, upstream, newId }) {
    const { interestItems, ...parts } = createMiscArea({
      db,
      reads: publicReads,
      outbox,
      upstream,
      newId,
      outboxBucket: env.OUTBOX,
      companionProduct: env.COMPANION_PRODUCT,
      publicUrl: env.BASE_URL,
      chatBaseUrlOverride: environment.chatBaseUrlOverride,
    });
    return { ...parts, provides: { interestItems: interestItems.names, cachedInterestItems: interestItems.cachedNames } };
  },
});
