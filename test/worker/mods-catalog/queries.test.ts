import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCatalogStore } from '../../../src/areas/mods-catalog/catalog/catalog.store.ts';
import { createDownloadsStore } from '../../../src/areas/mods-catalog/downloads/downloads.store.ts';
import { createMirrorStore } from '../../../src/areas/mods-catalog/mirror/mirror.store.ts';
import { SORTS } from '../../../src/areas/mods-catalog/records/catalog.data.ts';
import { createAnnouncements } from '../../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { systemClock } from '../../../src/platform/kit/time/clock.ts';
import { createDatabase, type Database } from '../../../src/platform/storage/database.ts';
import { clearCatalog } from './catalog.ts';

const MODS = 3000;

/** Fills the catalog with mods that have two releases each. */
beforeAll(async () => {
  await clearCatalog();
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MODS})`;
  await env.DB.batch(
    [
      `${numbers} INSERT INTO mods (handle, slug, visibility, is_approved, is_stray, created_at, updated_at, last_release_at, uploaded_on_behalf, previews,
        donation_urls, title, sort_title, author, tags, summary, search_text, warnings, description, readme_text, popularity, source_id)
        SELECT 'h' || (i % 50), 'mod-' || i, 'public', 1, 0, i, i, i * 7919 % 10007, 0, '[]', '[]', 'Mod ' || i, 'mod ' || i, 'A' || (i % 20), '[]', '',
        'mod number ' || i || ' of many', '', 'd', '', i % 100 / 100.0, 'source-' || i FROM n`,
      "INSERT INTO mod_tags SELECT id, 'tag-' || (id % 30) FROM mods",
      "INSERT INTO mod_tags SELECT id, 'common' FROM mods WHERE id % 10 > 0",
      'INSERT INTO mod_authors SELECT id, lower(author) FROM mods',
      `INSERT INTO mod_releases (id, mod_id, branch, tag, is_published, is_silent, published_at, format, size, sha256, filename, title, changelog)
        SELECT 'r' || m.id || '-' || t.value, m.id, 'main', t.value, 1, 1, m.id, 'tmod', 1, printf('%064x', m.id * 2 + t.value), 'f', '', '' FROM mods m, json_each('[1,2]') t`,
      'INSERT INTO mod_downloads_daily SELECT 20000, id, 3 FROM mod_releases',
    ].map((statement) => env.DB.prepare(statement)),
  );
  await env.DB.exec('ANALYZE');
});

/** The database with recorded query plans and rows read. */
function watchDatabase() {
  const seen: { sql: string; plan: string[]; rowsRead: number }[] = [];
  const note = async (sql: string, params: unknown[], rowsRead: number) => {
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    seen.push({ sql, plan: results.map(({ detail }) => detail), rowsRead });
  };
  const statement = (sql: string, params: unknown[]): D1PreparedStatement => {
    const inner = env.DB.prepare(sql).bind(...params);
    return {
      bind: (...more: unknown[]) => statement(sql, more),
      async all() {
        const result = await inner.all();
        await note(sql, params, result.meta.rows_read);
        return result;
      },
      async run() {
        const result = await inner.run();
        await note(sql, params, result.meta.rows_read);
        return result;
      },
      async raw() {
        const result = await inner.all<Record<string, unknown>>();
        await note(sql, params, result.meta.rows_read);
        return inner.raw();
      },
    } as unknown as D1PreparedStatement;
  };
  const binding = {
    prepare: (sql: string) => statement(sql, []),
    batch: (all: D1PreparedStatement[]) => Promise.all(all.map((one) => one.run())),
  };
  const db: Database = createDatabase(binding as unknown as D1Database);
  return { db, seen };
}

/** Runs work; fails if a statement scans a whole table or reads more rows than expected. */
async function expectFewReads(work: (db: Database) => Promise<unknown>, maxRows: number): Promise<void> {
  const { db, seen } = watchDatabase();
  await work(db);
  expect(seen.length).toBeGreaterThan(0);
  for (const { sql, plan, rowsRead } of seen) {
    const scans = plan.filter(
      (line) =>
        /^SCAN (?!h\b|c\b|v\b|json_each|mods_search|g\b|page\b|measured\b|\(subquery|CONSTANT|mod_totals)/.test(line) &&
        !/VIRTUAL TABLE/.test(line),
    );
    expect(
      scans.filter((line) => !/USING (COVERING )?INDEX/.test(line)),
      `${sql}\n${plan.join('\n')}`,
    ).toEqual([]);
    expect(rowsRead, `${sql}\n${plan.join('\n')}`).toBeLessThanOrEqual(maxRows);
  }
}

const order = (one: string, other: string) => (one < other ? -1 : Number(one > other));

describe('query plans of the mods catalog', () => {
  it.each(SORTS)('use an index for a page sorted by %s', async (sort) => {
    // One statement selects, measures and loads the page.
    await expectFewReads((db) => createCatalogStore(db).list({ sort, limit: 50, offset: 100 }), 600);
  });

  it('read little more than the matches of a filter', async () => {
    const matches = MODS / 30;
    await expectFewReads((db) => createCatalogStore(db).list({ sort: 'recent', tag: 'tag-3', limit: 10, offset: 0 }), matches * 5);
    await expectFewReads((db) => createCatalogStore(db).list({ sort: 'recent', author: 'a3', limit: 10, offset: 0 }), (MODS / 20) * 5);
    await expectFewReads((db) => createCatalogStore(db).list({ sort: 'recent', q: 'number 271', limit: 10, offset: 0 }), 300);
  });

  it('do not count the mods of a frequent tag', async () => {
    for (const sort of SORTS) await expectFewReads((db) => createCatalogStore(db).list({ sort, tag: 'Common', limit: 50, offset: 0 }), 700);
  });

  it('count the mods of a tag after each change', async () => {
    const catalog = createCatalogStore(createDatabase(env.DB));
    const total = async (tag: string) => {
      const counts = [catalog, createCatalogStore(createDatabase(env.DB))].map((store) =>
        store.list({ sort: 'new', tag, limit: 1, offset: 0 }),
      );
      const [warm, cold] = await Promise.all(counts);
      expect(warm).toEqual(cold);
      return warm?.total;
    };
    const run = (statement: string) => env.DB.prepare(statement).run();
    const before = (await total('tag-4')) ?? 0;
    const steps: [statement: string, change: number][] = [
      ["UPDATE mods SET taken_down_at = 5 WHERE slug = 'mod-34'", -1],
      ["UPDATE mods SET visibility = 'private' WHERE slug = 'mod-34'", -1],
      ["UPDATE mods SET visibility = 'public', taken_down_at = NULL WHERE slug = 'mod-34'", 0],
      ["DELETE FROM mod_tags WHERE tag = 'tag-4' AND mod_id = (SELECT id FROM mods WHERE slug = 'mod-34')", -1],
      ["INSERT INTO mod_tags SELECT id, 'tag-4' FROM mods WHERE slug = 'mod-34'", 0],
      ["INSERT OR IGNORE INTO mod_tags SELECT id, 'tag-4' FROM mods WHERE slug = 'mod-34'", 0],
    ];
    for (const [statement, change] of steps) {
      await run(statement);
      expect(await total('tag-4'), statement).toBe(before + change);
    }
    await run("INSERT INTO mod_tags SELECT id, 'rare' FROM mods WHERE slug IN ('mod-1', 'mod-2')");
    expect(await total('rare')).toBe(2);
    await run("DELETE FROM mod_tags WHERE tag = 'rare'");
    expect(await total('rare')).toBe(0);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM mod_tag_counts WHERE tag = 'rare'").first('n')).toBe(0);
    const counted = 'SELECT tag, count(*) AS n FROM mod_tags t JOIN mods m ON m.id = t.mod_id WHERE m.is_visible GROUP BY tag ORDER BY tag';
    const kept = await env.DB.prepare('SELECT tag, n FROM mod_tag_counts ORDER BY tag').all();
    expect(kept.results).toEqual((await env.DB.prepare(counted).all()).results);
  });

  it('count the matches of a frequent text once and read few rows per page', async () => {
    for (const q of ['of many', '1']) {
      for (const sort of SORTS) {
        const { db, seen } = watchDatabase();
        const catalog = createCatalogStore(db);
        const request = { sort, q, limit: 50, offset: 0 };
        const first = await catalog.list(request);
        seen.length = 0;
        expect(await catalog.list(request)).toEqual(first);
        const read = seen.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
        expect(read, `${q} by ${sort}`).toBeLessThanOrEqual(20 * first.mods.length);
      }
    }
  });

  it('return the same results as a full scan', async () => {
    const { results } = await env.DB.prepare('SELECT id, handle, slug, title, search_text, popularity, author FROM mods').all<{
      id: number;
      handle: string;
      slug: string;
      search_text: string;
      popularity: number;
      author: string;
    }>();
    const catalog = createCatalogStore(createDatabase(env.DB));
    for (const q of [undefined, 'mod', 'r 2', '27', 'number 1', 'number 271', 'nowhere']) {
      for (const [tag, author] of [
        [undefined, undefined],
        ['tag-3', undefined],
        [undefined, 'a3'],
        ['tag-3', 'a3'],
      ] as const) {
        const found = results
          .filter((mod) => q === undefined || mod.search_text.includes(q))
          .filter((mod) => tag === undefined || `tag-${mod.id % 30}` === tag)
          .filter((mod) => author === undefined || mod.author.toLowerCase() === author)
          .sort((one, other) => other.popularity - one.popularity || order(one.handle, other.handle) || order(one.slug, other.slug));
        for (const offset of [0, 40]) {
          const { mods, total } = await catalog.list({ q, tag, author, sort: 'popular', limit: 20, offset });
          const expected = found.slice(offset, offset + 20).map(({ id }) => id);
          expect([q, tag, author, offset, total, mods.map(({ id }) => id)]).toEqual([q, tag, author, offset, found.length, expected]);
        }
      }
    }
  });

  it('count again after a mod is hidden or written', async () => {
    const catalog = createCatalogStore(createDatabase(env.DB));
    const total = async () => (await catalog.list({ sort: 'recent', q: 'number 27', limit: 1, offset: 0 })).total;
    const before = await total();
    await env.DB.prepare("UPDATE mods SET taken_down_at = 5 WHERE slug = 'mod-27'").run();
    expect(await total()).toBe(before - 1);
    await env.DB.prepare("UPDATE mods SET taken_down_at = NULL, search_text = 'other', version = version + 1 WHERE slug = 'mod-27'").run();
    expect(await total()).toBe(before - 1);
    await env.DB.prepare("UPDATE mods SET search_text = 'mod number 27 of many', version = version + 1 WHERE slug = 'mod-27'").run();
    expect(await total()).toBe(before);
  });

  it('look up mods, releases, images and 200 hashes by index', async () => {
    const hashes = Array.from({ length: 200 }, (_, index) => (index * 20 + 1).toString(16).padStart(64, '0'));
    await expectFewReads((db) => createCatalogStore(db).find({ handle: 'h7', slug: 'mod-7' }), 10);
    await expectFewReads((db) => createCatalogStore(db).lookup(hashes), 2000);
    await expectFewReads((db) => createCatalogStore(db).listReleases([1, 2, 3]), 30);
    await expectFewReads((db) => createCatalogStore(db).findPublicRelease({ handle: 'h7', slug: 'mod-7' }, 'r7-1'), 10);
    await expectFewReads((db) => createCatalogStore(db).findPublicImage('0'.repeat(64)), 10);
    await expectFewReads((db) => createMirrorStore(db).find('source-7'), 20);
  });

  it('store download counts by primary key', async () => {
    const counts = [1, 2, 3].map((id) => ({ releaseId: `r${id}-1`, day: 20_001, n: 2 }));
    await expectFewReads((db) => createDownloadsStore(db).store(counts), 60);
  });

  it('find pending approvals and announcements by index', async () => {
    await expectFewReads((db) => createCatalogStore(db).listHidden('pending', { limit: 50, offset: 0 }), 10);
    await expectFewReads((db) => createAnnouncements(createOutbox(db, systemClock), { announce: async () => true }).drain({ now: 1 }), 10);
  });
});
