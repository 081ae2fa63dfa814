import { floorDiv, SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { archiveBefore, type Month, monthOf } from './archive.domain.ts';
import type { ArchivedMonth, MarketArchiveStore } from './archive.store.ts';
import type { MarketResets } from './insert.store.ts';
import type { Listing } from './listings.domain.ts';

const PREFIX = 'market-archive/';
/** Size of the parts of an upload; R2 requires equal parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface MarketArchiverDeps {
  store: MarketArchiveStore;
  bucket: R2Bucket;
  resets: Pick<MarketResets, 'deleteCreatedBetween' | 'batchSize'>;
  newId(): string;
}

/** A line of a file: a listing as the API returned it, without what depends on the time. */
const toLine = ({ id, name, type, stack, price, milliEach, createdAt, lastSeen }: Listing): string =>
  `${JSON.stringify({ id, name, type, stack, price, price_each: milliEach / 1000, created_at: createdAt, last_seen: lastSeen })}\n`;

/**
 * Moves the listings of old months to files. A month is frozen first: inserts then ignore its listings, so every later step reads the same
 * rows and can be repeated. Its file is stored, then the figures of its days, then its listings are deleted. Each stage begins after the
 * one before is stored, so an interruption loses nothing and counts nothing twice.
 */
export function createMarketArchiver({ store, bucket, resets, newId }: MarketArchiverDeps) {
  async function storeFile(month: Month, now: UnixSeconds): Promise<void> {
    const key = `${PREFIX}${month.name}-${newId()}.jsonl.gz`;
    const { listings, bytes, sha256 } = await upload(bucket, key, store.readMonth(month));
    const row: ArchivedMonth = { month: month.name, key, listings, bytes, sha256, archivedAt: now, stage: 'file' };
    // The file before its row: a crash in between leaves a file without a row, never a row without its file.
    if (!(await store.add(row))) await bucket.delete(key);
  }

  async function storeDays(month: Month): Promise<void> {
    let open: Listing[] = [];
    const dayOf = (listing: Listing | undefined) => (listing ? floorDiv(listing.createdAt, SECONDS_PER_DAY) : null);
    for await (const page of store.readMonth(month)) {
      for (const listing of page) {
        if (open.length > 0 && dayOf(open[0]) !== dayOf(listing)) {
          await store.saveDay(open);
          open = [];
        }
        open.push(listing);
      }
    }
    if (open.length > 0) await store.saveDay(open);
  }

  /** Continues a month. False when the signal ended the work. */
  async function finish(row: ArchivedMonth, signal: AbortSignal): Promise<boolean> {
    const month = monthOf(Date.parse(`${row.month}-01T00:00:00Z`) / 1000);
    if (row.stage === 'file') {
      await storeDays(month);
      await store.setStage(month.name, 'days');
    }
    for (;;) {
      if (signal.aborted) return false;
      if ((await resets.deleteCreatedBetween(month.from, month.to)) < resets.batchSize) break;
    }
    await store.setStage(month.name, 'done');
    return true;
  }

  return {
    /** Archives every month that ended `keepDays` ago; 0: none. Returns whether listings were deleted. */
    async run(keepDays: number, now: UnixSeconds, signal: AbortSignal): Promise<boolean> {
      const before = archiveBefore(keepDays, now);
      let hasDeleted = false;
      while (!signal.aborted) {
        const row = await store.unfinished();
        if (row) {
          hasDeleted = true;
          if (!(await finish(row, signal))) break;
          continue;
        }
        const oldest = before === null ? null : await store.oldestCreation();
        const month = oldest === null ? null : monthOf(oldest);
        if (before === null || !month || month.to > before) break;
        await store.freeze(month.to);
        // Rows of an archived month are in its file: a restored backup has them again.
        if (await store.find(month.name)) await store.setStage(month.name, 'days');
        else await storeFile(month, now);
      }
      return hasDeleted;
    },
  };
}

export type MarketArchiver = ReturnType<typeof createMarketArchiver>;

/** Compresses listings as JSON Lines into an object, in parts of equal size. */
async function upload(bucket: R2Bucket, key: string, pages: AsyncIterable<Listing[]>) {
  const options = { httpMetadata: { contentType: 'application/gzip' } };
  const encoder = new TextEncoder();
  const { readable, writable } = new CompressionStream('gzip');
  const digest = new crypto.DigestStream('SHA-256');
  const digestWriter = digest.getWriter();
  let listings = 0;
  let bytes = 0;
  const compressing = (async () => {
    const writer = writable.getWriter();
    try {
      for await (const page of pages) {
        listings += page.length;
        await writer.write(encoder.encode(page.map(toLine).join('')));
      }
      await writer.close();
    } catch (error) {
      // Ends the upload too, which reads what is compressed; the first error is the one to report.
      await writer.abort(error).catch(() => {});
      throw error;
    }
  })();
  const uploading = (async () => {
    const multipart = await bucket.createMultipartUpload(key, options);
    try {
      const parts: R2UploadedPart[] = [];
      const buffer = new Uint8Array(PART_BYTES);
      let filled = 0;
      const flush = async () => {
        parts.push(await multipart.uploadPart(parts.length + 1, buffer.slice(0, filled)));
        filled = 0;
      };
      for await (const chunk of readable) {
        bytes += chunk.length;
        await digestWriter.write(chunk);
        for (let at = 0; at < chunk.length; ) {
          const taken = chunk.subarray(at, at + PART_BYTES - filled);
          buffer.set(taken, filled);
          filled += taken.length;
          at += taken.length;
          if (filled === PART_BYTES) await flush();
        }
      }
      if (filled > 0) await flush();
      await multipart.complete(parts);
    } catch (error) {
      // R2 deletes an upload that is not completed after a week.
      await multipart.abort().catch(() => {});
      throw error;
    }
  })();
  await Promise.all([compressing, uploading]);
  await digestWriter.close();
  return { listings, bytes, sha256: Buffer.from(await digest.digest).toString('hex') };
}
