import type { Job } from '../../platform/durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { storageSizes } from './admin.tables.ts';

/** Lists of one run and bucket, of 1,000 objects each. */
const MAX_PAGES = 10;
const TIMEOUT_SECONDS = 60;

type Pass = typeof storageSizes.$inferSelect;

/** The job that measures the buckets: each once a day, at most 10,000 objects an hour. */
export function storageSizeJob(db: Database, buckets: Readonly<Record<string, Pick<R2Bucket, 'list'>>>): Job {
  return {
    name: 'storage-sizes',
    schedule: { everySeconds: SECONDS_PER_HOUR },
    timeoutSeconds: TIMEOUT_SECONDS,
    async run({ now, isManual, signal }) {
      const stored = new Map((await db.select().from(storageSizes)).map((row) => [row.store, row]));
      for (const [store, bucket] of Object.entries(buckets)) {
        const row = stored.get(store);
        const isFresh = row?.cursor === null && row.measuredAt !== null && now - row.measuredAt < SECONDS_PER_DAY;
        if (isFresh && !isManual) continue;
        signal.throwIfAborted();
        const { store: _store, ...set } = await measure(bucket, row ?? newPass(store), now);
        await db
          .insert(storageSizes)
          .values({ store, ...set })
          .onConflictDoUpdate({ target: storageSizes.store, set });
      }
    },
  };
}

const newPass = (store: string): Pass => ({
  store,
  objects: null,
  bytes: null,
  measuredAt: null,
  cursor: null,
  passObjects: 0,
  passBytes: 0,
});

/** Continues a pass, or starts one. */
async function measure(bucket: Pick<R2Bucket, 'list'>, row: Pass, now: UnixSeconds): Promise<Pass> {
  const pass = { ...row };
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await bucket.list(pass.cursor === null ? {} : { cursor: pass.cursor });
    pass.passObjects += listed.objects.length;
    pass.passBytes += listed.objects.reduce((sum, { size }) => sum + size, 0);
    if (!listed.truncated) {
      const result = { objects: pass.passObjects, bytes: pass.passBytes, measuredAt: now };
      return { ...pass, ...result, cursor: null, passObjects: 0, passBytes: 0 };
    }
    pass.cursor = listed.cursor;
  }
  return pass;
}
