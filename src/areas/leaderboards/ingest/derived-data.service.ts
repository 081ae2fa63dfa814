import type { CaptureConsumer, CaptureConsumerName, CaptureListener, DerivedData } from '../../../game/board-captures.ts';
import { runEach } from '../../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { IngestJob } from './ingest-queue.service.ts';

/** Everything that is derived from captures. A test compares the tables and folders of the entries with those that exist. */
export type DerivedName = CaptureConsumerName | 'anomalies' | 'board-names' | 'duplicates' | 'player-totals' | 'renames' | 'search';

/** Derived data of this area. */
export interface LeaderboardData extends DerivedData {
  /** Jobs that complete both operations, because they take several steps. */
  jobs?(anchor: UnixSeconds): readonly IngestJob[];
}

/** One entry for each name: an entry that is missing does not compile. */
export type DerivedEntries = Readonly<Record<DerivedName, LeaderboardData>>;

/** Data of another area as an entry. */
export function entryOf(consumer: CaptureConsumerName, data: CaptureConsumer): LeaderboardData {
  const { dependents } = data;
  if (!dependents) return data;
  return {
    ...data,
    jobs: (anchor) => [
      {
        kind: 'recompute',
        task: { consumer, after: anchor + dependents.from - 1, until: anchor + dependents.until, isForced: true },
      },
    ],
  };
}

/** Walks over everything that is derived from captures. A failed entry does not stop the others; the call fails and is repeated as a whole. */
export function createDerivedData(
  entries: DerivedEntries,
  notify: (anchor: UnixSeconds, listeners: readonly CaptureListener[]) => Promise<void>,
) {
  const jobsOf = (anchor: UnixSeconds, all: readonly LeaderboardData[]) => all.flatMap(({ jobs }) => jobs?.(anchor) ?? []);

  return {
    entries,

    /** Replaces the data of a capture. Returns the jobs that complete it. */
    async replace(anchor: UnixSeconds): Promise<readonly IngestJob[]> {
      const all = Object.values(entries);
      await notify(
        anchor,
        all.map(({ replace }) => replace),
      );
      return jobsOf(anchor, all);
    },

    /** Deletes the data of a deleted capture. Returns the jobs that complete it. */
    async withdraw(anchor: UnixSeconds, { isRecomputed }: { isRecomputed: boolean }): Promise<readonly IngestJob[]> {
      const all = Object.values(entries).filter(({ isPermanent }) => isRecomputed || !isPermanent);
      await runEach(all, (data) => data.withdraw(anchor));
      return jobsOf(anchor, all);
    },
  };
}
