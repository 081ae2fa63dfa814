import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { activityCaptures, classActivityCaptures } from '../../src/areas/activity/activity.tables.ts';

const HOUR = 3600;
const CLASSES = 18;
/** D1 accepts 100 values per statement. */
const ROWS_PER_BATCH = 8;

/** Stores activity of the last days, with a capture every `hours` hours and a daily rhythm. */
export async function seedActivity(database: DrizzleD1Database, now: number, days: number, hours: number): Promise<void> {
  const captures = Array.from({ length: Math.floor((days * 24) / hours) }, (_, index) => {
    const windowEnd = now - index * hours * HOUR - HOUR / 2;
    const players = Math.round(7000 + 1800 * Math.sin(((windowEnd / HOUR) % 24) / 3.82) + 500 * Math.sin(index / 20));
    const thresholds = { powerRank: 25_000, effort: 50, xp: 2_000_000 };
    const active = Array.from({ length: CLASSES }, (__, index) => Math.round(players / (index + 4)));
    return {
      windowEnd,
      windowStart: windowEnd - hours * HOUR,
      computedAt: windowEnd + 40,
      isStale: false,
      players,
      figures: { thresholds, classes: [] },
      dayValues: { active, clean: active.map((value) => Math.round(value / 3)) },
    };
  });
  for (let start = 0; start < captures.length; start += ROWS_PER_BATCH) {
    const some = captures.slice(start, start + ROWS_PER_BATCH);
    const rows = some.map(({ players, figures: _, dayValues: __, ...row }) => ({
      ...row,
      estimate: Math.round(players / 6),
      estimateDay: players,
      estimateWeek: players * 3,
      dayStart: null,
      weekStart: null,
      byBoard: [],
    }));
    await database.insert(activityCaptures).values(rows);
    await database.insert(classActivityCaptures).values(some.map(({ players: _, ...row }) => row));
  }
}
