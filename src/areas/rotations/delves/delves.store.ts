import { desc, eq } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import type { DelveFloors } from '../schedules/delves.domain.ts';
import { delveWeeks } from '../schedules/rotations.tables.ts';

/** A stored week without its floors. */
export interface DelveWeekSummary {
  week: number;
  total: number;
  count: number;
  fetchedAt: UnixSeconds;
}

/** Floors are stored and sent as JSON text. */
export type DelveWeek = DelveWeekSummary & { floorsText: string };

/** Delve floors by week. */
export type DelvesStore = ReturnType<typeof createDelvesStore>;

const summaryColumns = { week: delveWeeks.week, total: delveWeeks.total, count: delveWeeks.count, fetchedAt: delveWeeks.fetchedAt };

export function createDelvesStore(db: Database, reads: PublicReads = db) {
  return {
    async find(week: number): Promise<DelveWeek | null> {
      const rows = await reads
        .select({ ...summaryColumns, floorsText: delveWeeks.floors })
        .from(delveWeeks)
        .where(eq(delveWeeks.week, week));
      return rows[0] ?? null;
    },

    /** All stored weeks, newest first. */
    weeks: (): Promise<DelveWeekSummary[]> => reads.select(summaryColumns).from(delveWeeks).orderBy(desc(delveWeeks.week)),

    /** Stores a week. An empty list is ignored, so an invalid response does not overwrite a week. */
    async save(week: number, { total, depths }: DelveFloors, fetchedAt: UnixSeconds): Promise<void> {
      if (depths.length === 0) return;
      const row = { week, total, count: depths.length, fetchedAt, floors: JSON.stringify(depths) };
      await db.insert(delveWeeks).values(row).onConflictDoUpdate({ target: delveWeeks.week, set: row });
    },
  };
}
