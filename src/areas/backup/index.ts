import { CHANGES_PREFIX } from '../../platform/access/tokens/change-journal.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { deleteObjectsBefore } from '../../platform/storage/dated-objects.ts';
import { isPublicKey } from '../../platform/storage/sealed-box.ts';
import { BACKUP } from './backup.object.ts';
import { BACKUPS_PREFIX, type BackupSummary, LATEST_KEY } from './backup-files.store.ts';
import { createRestoredTokens } from './restored-tokens.service.ts';

const RETENTION_SECONDS = 30 * SECONDS_PER_DAY;
/** 03:00 UTC. */
const START_OF_DAY_SECONDS = 3 * SECONDS_PER_HOUR;
/** A backup that takes longer is stuck. */
const MAX_RUN_SECONDS = 6 * SECONDS_PER_HOUR;

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** The newest complete backup; null before the first. */
    lastBackup(): Promise<BackupSummary | null>;
  }
}

/** The nightly backup of the database to a bucket, and what a restore leaves to the service. */
export const backupArea = defineArea({
  stored: [
    {
      title: 'Backups',
      what: 'A copy of the data above as of each night, except sessions and mail, and of each changed token and deleted account, encrypted to a key that the service does not have.',
      until:
        'For 30 days, also for data that you delete meanwhile: after a restore, deleted accounts are deleted again. The operator may keep copies elsewhere for the same time.',
    },
  ],
  create({ env, db, outbox, tokens, tokenFormat, gate, mailer, changeJournal }) {
    const { BACKUPS: bucket, BACKUP_PUBLIC_KEY: publicKey } = env;
    const isConfigured = isPublicKey(publicKey) && tokenFormat.key !== null;
    const object = () => env.BACKUP.getByName(BACKUP);
    const restoredTokens = createRestoredTokens({ db, outbox, tokens, gate, mailer, appName: env.APP_NAME });

    /** Starts the backup of the day, and fails while the newest one is abandoned or stuck. */
    async function backUp(now: UnixSeconds, isManual: boolean): Promise<void> {
      const { startedAt, isRunning, error } = await object().state();
      const dayOf = (at: UnixSeconds) => Math.floor((at - START_OF_DAY_SECONDS) / SECONDS_PER_DAY);
      if (isManual || startedAt === null || error !== null || dayOf(startedAt) < dayOf(now)) await object().start();
      if (error !== null) throw new Error(`the last backup failed and was started again: ${error}`);
      if (isRunning && startedAt !== null && now - startedAt > MAX_RUN_SECONDS)
        throw new Error('the backup has not ended within six hours');
    }

    const jobs: Job[] = [
      {
        name: 'backup',
        schedule: { everySeconds: SECONDS_PER_HOUR, text: 'every day at 03:00 UTC; checked every hour' },
        timeoutSeconds: 60,
        availability: () => (isConfigured ? 'enabled' : 'unconfigured'),
        run: ({ now, isManual }) => backUp(now, isManual),
      },
      {
        name: 'backup-changes',
        schedule: { everySeconds: SECONDS_PER_MINUTE },
        timeoutSeconds: 55,
        async run({ now, signal }) {
          await restoredTokens.drain(now, signal);
          await changeJournal.drain(now, signal);
        },
      },
      {
        name: 'backup-expiry',
        schedule: { everySeconds: SECONDS_PER_DAY },
        timeoutSeconds: 60,
        async run({ now }) {
          for (const prefix of [BACKUPS_PREFIX, CHANGES_PREFIX]) await deleteObjectsBefore(bucket, prefix, now - RETENTION_SECONDS);
        },
      },
    ];

    return {
      endpoints: [],
      jobs,
      provides: {
        async lastBackup() {
          const object = await bucket.get(LATEST_KEY);
          return object ? await object.json<BackupSummary>() : null;
        },
      },
    };
  },
});
