import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventSource } from '../../platform/events/event-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { giveawaysEvent } from './giveaways.events.ts';
import { createGiveawaysService } from './giveaways.service.ts';
import { giveawaysScopes, giveawaysSettings } from './giveaways.settings.ts';
import { createEntriesStore, createGiveawaysStore, createPublicGiveaways } from './giveaways.store.ts';
import { giveawaysTables } from './giveaways.tables.ts';

const STEP_TIMEOUT_SECONDS = 50;

export const giveawaysArea = defineArea({
  settings: giveawaysSettings,
  scopes: giveawaysScopes,
  tags: {
    Giveaways: 'Open, upcoming and ended giveaways, with proofs of their draws.',
  },
  events: [giveawaysEvent],
  stored: [
    {
      title: 'Giveaways',
      what: 'The giveaways you entered and when. The winner is published with the display name, or with the first letter of the email address.',
      until:
        'Until you withdraw or delete the account. The data of a finished draw stays, so that anyone can check it: random ids without your account. The published name of a winner stays too.',
    },
  ],
  tables: giveawaysTables,
  create({ db, publicReads, events, mailer, newId }) {
    const entries = createEntriesStore(db);
    const service = createGiveawaysService({
      giveaways: createGiveawaysStore(db),
      publicGiveaways: createPublicGiveaways(publicReads),
      entries,
      newId,
      randomBytes: systemRandomBytes,
      onChange: (now) => events.changed(giveawaysEvent.type, now),
      mailer,
    });

    const endpoints = [
      lazyRoutes(['/v1/giveaways', '/giveaways', '/admin'], async () => {
        const { createEntryEndpoints, createGiveawayAdminEndpoints, createGiveawayEndpoints } = await import('./giveaways.routes.ts');
        return [...createGiveawayEndpoints(service), ...createGiveawayAdminEndpoints(service), ...createEntryEndpoints(service)];
      }),
    ];
    const jobs: Job[] = [
      {
        name: 'giveaways-step',
        schedule: { everySeconds: SECONDS_PER_MINUTE },
        timeoutSeconds: STEP_TIMEOUT_SECONDS,
        run: ({ now }) => service.processDue(now),
      },
    ];
    const eventSources: EventSource[] = [
      {
        type: giveawaysEvent.type,
        feature: 'featureGiveawaysEnabled',
        refresh: service.invalidateReads,
        async stateAt() {
          const [open, { giveawaysBody, giveawaysStreamSignature }] = await Promise.all([
            service.ongoing(),
            import('./giveaways.schemas.ts'),
          ]);
          return { body: giveawaysBody(open), signature: giveawaysStreamSignature(open) };
        },
      },
    ];

    return {
      endpoints,
      jobs,
      eventSources,
      eventSchemas: async () => ({ giveaways: (await import('./giveaways.schemas.ts')).GiveawaysBody }),
      accountData: { delete: entries.deleteAccountData },
    };
  },
});
