import type { AreaContext } from '../../../platform/area/area.ts';
import { systemClock } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { anomaliesReply, createAnomaliesService } from '../anomalies/anomalies.service.ts';
import {
  ACTIVE_FOLDER,
  BANDS_FOLDER,
  createActiveNames,
  createAnomalyReports,
  createHourBands,
  REPORT_KEY,
} from '../anomalies/anomalies.store.ts';
import { createBoardsStore } from '../boards/boards.store.ts';
import { BACKFILL_KEYS, createBackfillStatus } from '../captures/backfill.store.ts';
import { createCaptureObjects } from '../captures/capture-objects.store.ts';
import { createCapturesStore } from '../captures/captures.store.ts';
import { createPackingService } from '../captures/packing.service.ts';
import { createPlayerRows } from '../captures/player-rows.service.ts';
import { createDuplicatesService, type DuplicatesTask } from '../duplicates/duplicates.service.ts';
import { createDuplicatesStore } from '../duplicates/duplicates.store.ts';
import { INSERT_NAME } from '../leaderboards.data.ts';
import { createTotalsWriter } from '../players/totals.service.ts';
import { createTotalsStore, TOTALS_FOLDER } from '../players/totals.store.ts';
import { createRenamesService, type RenamesTask } from '../renames/renames.service.ts';
import { createRenamesStore } from '../renames/renames.store.ts';
import { createDerivedData, type DerivedEntries, entryOf } from './derived-data.service.ts';
import { createIngestService } from './ingest.service.ts';
import { describeJob, type IngestWork } from './ingest-queue.service.ts';
import { createCaptureNotifier, createRecompute } from './notifier.service.ts';
import { createRawDumps } from './raw-dumps.store.ts';
import { createPlayerAnnouncer, createPlayerDocumentCheck } from './search-documents.service.ts';

/** `reads`: the read replica for public data; the primary for reads that writes depend on. */
export function createStores(db: Database, reads: PublicReads, bucket: R2Bucket) {
  return {
    captures: createCapturesStore(db, reads),
    boards: createBoardsStore(reads),
    objects: createCaptureObjects(bucket),
    raw: createRawDumps(bucket),
    reports: createAnomalyReports(bucket),
    totals: createTotalsStore(bucket),
    activeNames: createActiveNames(bucket),
    hourBands: createHourBands(bucket),
    renames: createRenamesStore(db, reads),
    renamesBackfill: createBackfillStatus<RenamesTask>(bucket, BACKFILL_KEYS.renames),
    duplicates: createDuplicatesStore(db, reads),
    duplicatesBackfill: createBackfillStatus<DuplicatesTask>(bucket, BACKFILL_KEYS.duplicates),
  };
}

/** Everything that is derived from captures, by name. */
export function derivedEntriesOf({ db, env, settings, ports }: Pick<AreaContext, 'db' | 'env' | 'settings' | 'ports'>): DerivedEntries {
  const stores = createStores(db, db, env.BOARDS);
  const anomalies = createAnomaliesService(stores);
  const renames = createRenamesService(stores);
  const totals = createTotalsWriter(stores);
  const announcePlayers = createPlayerAnnouncer({ ...stores, formerNames: stores.renames.formerNames, index: ports.searchIndex });
  return {
    activity: entryOf('activity', ports.boardCaptureConsumers.activity),
    'class-activity': entryOf('class-activity', ports.boardCaptureConsumers['class-activity']),
    'board-names': {
      stored: ['boards'],
      // A capture is published together with the names of its boards; the dump that it replaces may have had more boards.
      replace: ({ anchor }) => stores.captures.withdrawBoardNames(anchor),
      withdraw: stores.captures.withdrawBoardNames,
    },
    anomalies: {
      stored: [ACTIVE_FOLDER, BANDS_FOLDER, REPORT_KEY],
      replace: async (capture) => anomalies.replaceHour(capture, await settings.current()),
      withdraw: anomalies.withdrawHour,
      jobs: () => [{ kind: 'report' }],
    },
    renames: {
      stored: ['player_renames'],
      async replace(capture) {
        await renames.replace(capture, await settings.current(), systemClock());
      },
      withdraw: stores.renames.withdraw,
    },
    duplicates: {
      stored: ['player_duplicate_sightings', 'player_duplicates'],
      // The job searches the capture, or deletes what it found in a deleted one.
      replace: async () => {},
      withdraw: async () => {},
      jobs: (anchor) => [{ kind: 'duplicates', task: { anchor, isSearched: false, backfill: null } }],
    },
    'player-totals': {
      stored: [TOTALS_FOLDER],
      isPermanent: true,
      // The next daily update rebuilds them.
      replace: ({ anchor }) => totals.noteChange(anchor),
      withdraw: totals.noteChange,
    },
    search: {
      stored: ['search_entries'],
      // Players who are in no other capture are removed by the daily check, after the update of the totals.
      replace: ({ anchor }) => announcePlayers(anchor),
      withdraw: () => ports.searchIndex.changed('board'),
    },
  };
}

/** Work of the ingest object: creates captures from dumps, and runs follow-up tasks. */
export function ingestWorkOf(context: AreaContext): IngestWork {
  const { db, env, settings, ingestLog: log, ports } = context;
  const stores = createStores(db, db, env.BOARDS);
  const { captures, objects, raw, reports } = stores;
  const notify = createCaptureNotifier(stores);
  const derived = createDerivedData(derivedEntriesOf(context), notify);
  const renames = createRenamesService(stores);
  const duplicates = createDuplicatesService(stores);
  const service = createIngestService({ captures, objects, raw, log, settings });
  const anomalyReports = createAnomaliesService(stores);
  return {
    ingest: service.process,
    async cleanUp({ isRecomputed, ...removed }) {
      await service.cleanUp(removed);
      const { anchor } = removed;
      // A dump received in the meantime has created a capture, whose notification replaces everything.
      if (await captures.find(anchor)) return [];
      const jobs = await derived.withdraw(anchor, { isRecomputed });
      const next = isRecomputed ? await captures.firstAfter(anchor) : null;
      return next ? [...jobs, { kind: 'tell', anchor: next.anchor }] : jobs;
    },
    recompute: createRecompute({ captures, consumers: ports.boardCaptureConsumers, notify }),
    totals: createTotalsWriter(stores).add,
    playerDocuments: createPlayerDocumentCheck({
      ...stores,
      rows: createPlayerRows(stores),
      index: ports.searchIndex,
      formerNames: stores.renames.formerNames,
    }),
    async logFailure(job, error) {
      if (job.kind === 'ingest') return service.logFailure(job.task, error);
      const text = `${describeJob(job)} keeps failing and is retried every 30 minutes: ${error}`;
      await log.record({ endpoint: INSERT_NAME, now: systemClock(), userId: null, tokenId: null, summary: null, error: text });
    },
    notify: derived.replace,
    renames: async (task) => renames.backfill(task, { settings: await settings.current(), now: systemClock(), notify }),
    duplicates: async (task) => duplicates.step(task, await settings.current(), systemClock()),
    pack: createPackingService(captures, objects).pack,
    async report() {
      const rules = await settings.current();
      const basis = await anomalyReports.basis(rules);
      const { text } = await anomaliesReply(await anomalyReports.compute(rules, systemClock()));
      await reports.put({ basis, body: text });
    },
  };
}
