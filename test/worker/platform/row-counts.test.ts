import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { modPacks } from '../../../src/areas/mods-catalog/records/catalog.tables.ts';
import { challengeCaptures, luxionRuns } from '../../../src/areas/rotations/schedules/rotations.tables.ts';
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

  it('follows the value of a column that the rows are counted by', async () => {
    const totals = async () => {
      const counts = ['public', 'unlisted', 'draft'].map((value) => selectRowCount(db, modPacks, 'visibility', [value]));
      return Promise.all(counts.map(async (count) => (await count)[0]?.total));
    };
    const columns = `handle, slug, visibility, created_at, updated_at, default_variant, variant_count, mod_count, title, sort_title, author, tags,
      summary, search_text, warnings, description, variants, previews, donation_urls`;
    const insert = (slug: string, visibility: string) =>
      env.DB.prepare(
        `INSERT INTO mod_packs (${columns}) VALUES ('ada', ?, ?, 1, 1, 'a', 1, 0, 't', 't', 'a', '[]', '', 't', '', '', '[]', '[]', '[]')`,
      )
        .bind(slug, visibility)
        .run();
    await insert('one', 'public');
    await insert('two', 'public');
    await insert('three', 'draft');
    expect(await totals()).toEqual([2, 0, 1]);
    await env.DB.prepare(`UPDATE mod_packs SET visibility = 'unlisted' WHERE slug = 'one'`).run();
    await env.DB.prepare(`UPDATE mod_packs SET visibility = 'public', title = 'u' WHERE slug = 'two'`).run();
    expect(await totals()).toEqual([1, 1, 1]);
    await env.DB.prepare(`DELETE FROM mod_packs WHERE slug <> 'one'`).run();
    expect(await totals()).toEqual([0, 1, 0]);
    await env.DB.prepare(`UPDATE row_counts SET rows = 5 WHERE name = 'mod_packs/visibility=public'`).run();
    expect(await correctRowCounts(db)).toEqual(['mod_packs/visibility=public']);
    expect(await totals()).toEqual([0, 1, 0]);
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
