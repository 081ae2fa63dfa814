import { DurableObject } from 'cloudflare:workers';
import { createHmac, randomBytes } from 'node:crypto';
import { SECONDS_PER_HOUR, systemClock, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createDatabase } from '../../../platform/storage/database.ts';
import { DownloadCounter } from './download-counter.service.ts';
import { createDownloadsRepository } from './downloads.repository.ts';

/** Interval between writes of counts to D1. */
const FLUSH_SECONDS = 60;
/** Counts per statement. */
const MAX_BATCH_COUNTS = 500;
const KEY_BYTES = 16;

/** Counts the downloads of some releases and writes the counts to the database in batches. */
export class ModDownloadsObject extends DurableObject<Env> {
  readonly #counter: DownloadCounter;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#counter = new DownloadCounter(ctx.storage.sql);
  }

  /** Counts one download. Only a short-lived hash of the IP `address` is stored. */
  async record(releaseId: string, address: string, now: UnixSeconds): Promise<void> {
    const realNow = systemClock();
    const key = this.#counter.keyOf(now, realNow, () => randomBytes(KEY_BYTES).toString('base64url'));
    const clientHash = createHmac('sha256', key).update(address).digest('base64url');
    this.#counter.count(releaseId, clientHash, now, realNow);
    const flushAt = Date.now() + FLUSH_SECONDS * 1000;
    const alarmAt = await this.ctx.storage.getAlarm();
    if (alarmAt === null || alarmAt > flushAt) await this.ctx.storage.setAlarm(flushAt);
  }

  /** Stores counts in D1 and deletes expired data. Counts are daily totals, so storing them is idempotent. */
  override async alarm(): Promise<void> {
    const counts = this.#counter.listUnstored(MAX_BATCH_COUNTS);
    if (counts.length > 0) {
      await createDownloadsRepository(createDatabase(this.env.DB)).store(counts);
      this.#counter.markStored(counts);
    }
    this.#counter.deleteExpired(systemClock());
    if (this.#counter.isEmpty()) return;
    const wait = this.#counter.listUnstored(1).length > 0 ? 1 : SECONDS_PER_HOUR;
    await this.ctx.storage.setAlarm(Date.now() + wait * 1000);
  }
}
