import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventPublisher, EventSource } from '../../platform/events/event-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandomBytes } from '../../platform/kit/random.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { giveawaysEvent } from './giveaways.events.ts';
import { createGiveawaysService } from './giveaways.service.ts';
import { giveawaysScopes, giveawaysSettings } from './giveaways.settings.ts';
import { createEntriesRepository, createGiveawaysRepository, createPublicGiveaways } from './giveaways.store.ts';
import { giveawaysBackup } from './giveaways.tables.ts';

const STEP_TIMEOUT_SECONDS = 50;

interface GiveawaysAreaDeps {
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  events: EventPublisher;
  newId(): string;
  drawBytes(count: number): Uint8Array;
  mailer: Pick<Mailer, 'compose' | 'send'>;
}

/** `/v1/giveaways` and `/admin/giveaways`: endpoints, job and event stream source. */
function createGiveawaysArea({ db, reads = db, events, newId, drawBytes, mailer }: GiveawaysAreaDeps) {
  const entries = createEntriesRepository(db);
  const service = createGiveawaysService({
    giveaways: createGiveawaysRepository(db),
    publicGiveaways: createPublicGiveaways(reads),
    entries,
    newId,
    drawBytes,
    onChange: (now) => events.changed(giveawaysEvent.type, now),
    mailer,
  });

  const endpoints = [
    lazyRoutes(['/v1/giveaways', '/giveaways', '/admin'], async () => {
      const [{ createEntryEndpoints }, { createGiveawayAdminEndpoints }, { createGiveawayEndpoints }] = await Promise.all([
        import('./giveaways.routes.ts'),
        import('./giveaways.admin.routes.ts'),
        import('./giveaways.routes.ts'),
      ]);
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
  return { endpoints, jobs, eventSources, deleteAccountData: entries.deleteAccountData };
}

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
      tables: ['giveaways', 'giveaway_entries'],
    },
  ],
  backup: giveawaysBackup,
  create({ db, publicReads, events, mailer, newId }) {
    const { deleteAccountData, ...parts } = createGiveawaysArea({
      db,
      reads: publicReads,
      drawBytes: systemRandomBytes,
      events,
      mailer,
      newId,
    });
    return {
      ...parts,
      eventSchemas: async () => ({ giveaways: (await import('./giveaways.schemas.ts')).GiveawaysBody }),
      accountData: { delete: deleteAccountData },
    };
  },
});
