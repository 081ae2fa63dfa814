import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { createChatWebhook, createFeedbackOutbox, createFeedbackService } from './feedback.service.ts';
import { createAttachmentStore, createFeedbackStore } from './feedback.store.ts';
import { bundledInterestItems } from './interest-items.data.ts';
import { miscScopes, miscSettings } from './misc.settings.ts';
import { miscTables } from './misc.tables.ts';
import {
  createCachedNameList,
  createInterestItemsList,
  createSupportersList,
  INTEREST_ITEMS_TTL_SECONDS,
  SUPPORTERS_TTL_SECONDS,
} from './name-lists.store.ts';

/** URL that groups the embeds of a message when the service has no public URL. */
const FALLBACK_URL = 'https://example.com';
const FORWARD_TIMEOUT_SECONDS = 300;
const DELETE_TIMEOUT_SECONDS = 60;

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
    },
    {
      title: 'Supporters',
      what: 'Names of supporters who agreed to be listed.',
      until: 'Until an administrator removes the name.',
    },
  ],
  tables: miscTables,
  create({ db, publicReads, env, environment, outbox: queues, upstream, newId }) {
    const lists = {
      interestItems: createCachedNameList(createInterestItemsList(db, bundledInterestItems, publicReads), INTEREST_ITEMS_TTL_SECONDS),
      supporters: createCachedNameList(createSupportersList(db, publicReads), SUPPORTERS_TTL_SECONDS),
    };
    const entries = createFeedbackStore(db);
    const store = createAttachmentStore(env.OUTBOX);
    const webhook = createChatWebhook(upstream, newId, environment.chatBaseUrlOverride);
    const outbox = createFeedbackOutbox({ outbox: queues, entries, store, webhook, groupUrl: env.BASE_URL || FALLBACK_URL });
    const service = createFeedbackService({ entries, store, outbox, newId });

    const endpoints = [
      lazyRoutes(['/v1/misc', '/admin'], async () => {
        const [{ createFeedbackEndpoint }, { createNameListAdminEndpoints, createNameListEndpoints }, { toolEndpoints }] =
          await Promise.all([import('./feedback.routes.ts'), import('./name-lists.routes.ts'), import('./tools.routes.ts')]);
        return [
          ...toolEndpoints,
          ...createNameListEndpoints(lists),
          ...createNameListAdminEndpoints(lists),
          createFeedbackEndpoint({ service, outbox, companionProduct: env.COMPANION_PRODUCT }),
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

    return {
      endpoints,
      jobs,
      provides: { interestItems: lists.interestItems.names, cachedInterestItems: lists.interestItems.cachedNames },
    };
  },
});
