import { desc, eq } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { delveWeeks } from '../rotations.tables.ts';
import type { DelveFloors } from './delves.domain.ts';

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
export interface DelvesRepository {
  find(week: number): Promise<DelveWeek | null>;
  /** All stored weeks, newest first. */
  weeks(): Promise<DelveWeekSummary[]>;
  /** Stores a week. An empty list is ignored, so an invalid response does not overwrite a week. */
  save(week: number, floors: DelveFloors, fetchedAt: UnixSeconds): Promise<void>;
}

const summaryColumns = { week: delveWeeks.week, total: delveWeeks.total, count: delveWeeks.count, fetchedAt: delveWeeks.fetchedAt };

export function createDelvesRepository(db: Database, reads: PublicReads = db): DelvesRepository {
  return {
    async find(week) {
      const rows = await reads
        .select({ ...summaryColumns, floorsText: delveWeeks.floors })
        .from(delveWeeks)
        .where(eq(delveWeeks.week, week));
      return rows[0] ?? null;
    },

    weeks: () => reads.select(summaryColumns).from(delveWeeks).orderBy(desc(delveWeeks.week)),

    async save(week, { total, depths }, fetchedAt) {
      if (depths.length === 0) return;
      const row = { week, total, count: depths.length, fetchedAt, floors: JSON.stringify(depths) };
      await db.insert(delveWeeks).values(row).onConflictDoUpdate({ target: delveWeeks.week, set: row });
    },
  };
}
