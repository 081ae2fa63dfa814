import { asc, desc, eq, sql } from 'drizzle-orm';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type Database, type PublicReads, runInOneTransaction } from '../../platform/storage/database.ts';
import type { Month } from './archive.domain.ts';
import type { Listing } from './listings.domain.ts';
import { marketArchive, marketDays, marketListings, marketState } from './market.tables.ts';
import { type TimelinePoint, timelineOf } from './prices.domain.ts';

/** A stored month. */
export type ArchivedMonth = typeof marketArchive.$inferSelect;

/** Listings per read of a month. */
const PAGE_SIZE = 20_000;
const MILLI = 1000;

/** Statements of the archive of listings. */
export function createMarketArchiveStore(db: Database, reads: PublicReads = db) {
  async function findIn(source: PublicReads, month: string): Promise<ArchivedMonth | null> {
    const [row] = await source.select().from(marketArchive).where(eq(marketArchive.month, month));
    return row ?? null;
  }

  return {
    /** Creation of the oldest stored listing; null for none. */
    async oldestCreation(): Promise<UnixSeconds | null> {
      const [row] = await db.all<{ at: UnixSeconds | null }>(sql`
        SELECT min(at) AS at FROM (SELECT min(created_at) AS at FROM ${marketListings} INDEXED BY market_live_created_at WHERE live = 0
          UNION ALL SELECT min(created_at) FROM ${marketListings} INDEXED BY market_live_created_at WHERE live = 1)`);
      return row?.at ?? null;
    },

    /** From now on, inserts ignore listings created before `until`. */
    async freeze(until: UnixSeconds): Promise<void> {
      await db.run(sql`UPDATE ${marketState} SET archived_until = ${until} WHERE coalesce(archived_until, ${until}) <= ${until}`);
    },

    /** The listings of a month by creation, in pages. */
    async *readMonth({ from, to }: Month): AsyncGenerator<Listing[]> {
      let after = { createdAt: from, id: '' };
      for (;;) {
        const page = await db.all<Listing>(sql`
          SELECT id, name, type, stack, price, milli_each AS milliEach, created_at AS createdAt, last_seen AS lastSeen
          FROM ${marketListings} INDEXED BY market_live_created_at
          WHERE live IN (0, 1) AND created_at >= ${after.createdAt} AND created_at < ${to} AND (created_at, id) > (${after.createdAt}, ${after.id})
          ORDER BY created_at, id LIMIT ${PAGE_SIZE}`);
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (!last || page.length < PAGE_SIZE) return;
        after = last;
      }
    },

    find: (month: string): Promise<ArchivedMonth | null> => findIn(db, month),
    /** At a replica, for clients. */
    findPublic: (month: string): Promise<ArchivedMonth | null> => findIn(reads, month),

    /** All months, newest first. */
    list: (): Promise<ArchivedMonth[]> => reads.select().from(marketArchive).orderBy(desc(marketArchive.month)),

    /** The oldest month whose listings are not deleted yet; null for none. */
    async unfinished(): Promise<ArchivedMonth | null> {
      const [row] = await db
        .select()
        .from(marketArchive)
        .where(sql`${marketArchive.stage} <> 'done'`)
        .orderBy(asc(marketArchive.month))
        .limit(1);
      return row ?? null;
    },

    /** Stores the file of a month. False when another run has stored one. */
    async add(row: ArchivedMonth): Promise<boolean> {
      const { meta } = await db.insert(marketArchive).values(row).onConflictDoNothing();
      return meta.changes > 0;
    },

    /** Stores the figures of all items of a day. */
    async saveDay(listings: readonly Listing[]): Promise<void> {
      const rows = [...Map.groupBy(listings, ({ name }) => name)].flatMap(([name, own]) =>
        timelineOf(own, SECONDS_PER_DAY).map(({ bucket, stack, p25, p50, p75 }) => {
          const value = own.reduce((sum, { price }) => sum + price, 0);
          return [name, bucket, own.length, stack, value, ...[p25, p50, p75].map((price) => Math.round(price * MILLI))];
        }),
      );
      await runInOneTransaction(db, [
        sql`INSERT OR REPLACE INTO ${marketDays} (name, day, listings, stack, value, milli_p25, milli_p50, milli_p75)
          SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each(${JSON.stringify(rows)})`,
      ]);
    },

    /** Marks that the days of a month are stored, or that its listings are deleted. */
    async setStage(month: string, stage: ArchivedMonth['stage']): Promise<void> {
      await db.update(marketArchive).set({ stage }).where(eq(marketArchive.month, month));
    },

    /** The archived days of an item in `[from, to)`, oldest first. */
    async readDays(name: string, from: UnixSeconds, to: UnixSeconds): Promise<TimelinePoint[]> {
      const rows = await reads
        .select()
        .from(marketDays)
        .where(sql`${marketDays.name} = ${name} AND ${marketDays.day} >= ${from} AND ${marketDays.day} < ${to}`)
        .orderBy(asc(marketDays.day));
      return rows.map(({ day, listings, stack, milliP25, milliP50, milliP75 }) => {
        return { bucket: day, listings, stack, p25: milliP25 / MILLI, p50: milliP50 / MILLI, p75: milliP75 / MILLI };
      });
    },
  };
}

export type MarketArchiveStore = ReturnType<typeof createMarketArchiveStore>;
