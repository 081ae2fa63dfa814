import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { challengeCaptures, luxionRuns } from '../../../src/areas/rotations/rotations.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { correctRowCounts, selectRowCount } from '../../../src/platform/storage/row-counts.ts';

const db = createDatabase(env.DB);
const totalOf = async (table: typeof challengeCaptures | typeof luxionRuns) => (await selectRowCount(db, table))[0]?.total ?? 0;
const capture = (windowAnchorAt: number) => ({ windowAnchorAt, name: 'Adventure', isFridayWindow: false, capturedAt: windowAnchorAt });

describe('the number of rows of a table', () => {
  it('follows inserts, conflicts, deletions and aborted transactions', async () => {
    await db.insert(challengeCaptures).values([capture(1), capture(2), capture(3)]);
    await db
      .insert(challengeCaptures)
      .values([capture(3), capture(4)])
      .onConflictDoNothing();
    await db
      .insert(challengeCaptures)
      .values(capture(1))
      .onConflictDoUpdate({ target: challengeCaptures.windowAnchorAt, set: { name: 'Dungeon' } });
    expect(await totalOf(challengeCaptures)).toBe(4);
    await env.DB.prepare('DELETE FROM challenge_captures WHERE window_anchor_at <= 2').run();
    expect(await totalOf(challengeCaptures)).toBe(2);
    await expect(
      env.DB.batch([env.DB.prepare('DELETE FROM challenge_captures'), env.DB.prepare('SELECT * FROM missing')]),
    ).rejects.toThrow();
    expect(await totalOf(challengeCaptures)).toBe(2);
  });

  it('is corrected when it differs from the table', async () => {
    await db.insert(challengeCaptures).values(capture(9)).onConflictDoNothing();
    expect(await correctRowCounts(db)).toEqual([]);
    await env.DB.prepare(`UPDATE row_counts SET rows = rows + 7 WHERE name = 'challenge_captures'`).run();
    expect(await correctRowCounts(db)).toEqual(['challenge_captures']);
    expect(await totalOf(challengeCaptures)).toBe((await db.select().from(challengeCaptures)).length);
    expect(await totalOf(luxionRuns)).toBe(0);
  });
});
