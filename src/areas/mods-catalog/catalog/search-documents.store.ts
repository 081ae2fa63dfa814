import { sql } from 'drizzle-orm';
import type { SearchDocument, SearchSource } from '../../../platform/area/search-source.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { ModAddress, ModLinks } from '../records/mod.domain.ts';
import type { ModWrites } from '../records/mod-writes.store.ts';

/** Searched part of the texts of a mod, in characters. */
const MAX_TEXT_LENGTH = 600;
/** Digits of a key: the order of keys is that of ids. */
const KEY_DIGITS = 15;

interface ModRow extends ModAddress {
  id: number;
  title: string;
  author: string;
  text: string;
  banner: string | null;
}

/** Key of a mod in the search. */
export const modSearchKey = (id: number) => String(id).padStart(KEY_DIGITS, '0');

/** The visible mods. `links`: with an empty base URL, so that paths of this service stay relative. */
export function createModSearchSource(db: Database, links: ModLinks): SearchSource {
  const columns = sql.raw(`id, handle, slug, title, author, substr(summary || ' ' || description, 1, ${MAX_TEXT_LENGTH}) AS text,
    banner ->> 'sha256' AS banner`);
  function toDocument({ id, title, author, text, banner, ...address }: ModRow): SearchDocument {
    const image = banner === null ? null : links.image(banner);
    return { key: modSearchKey(id), name: title, about: author, text: text.trim(), link: links.page(address), image };
  }
  return {
    type: 'mod',
    scope: 'mods:read',
    isPublic: true,
    feature: 'featureModsHubEnabled',
    contents: {
      async version() {
        const [row] = await db.all<{ n: number }>(sql`SELECT n FROM mod_totals WHERE name = 'revision'`);
        return String(row?.n ?? 0);
      },
      async list(after, limit) {
        const rows = await db.all<ModRow>(
          sql`SELECT ${columns} FROM mods WHERE id > ${Number(after)} AND is_visible = 1 ORDER BY id LIMIT ${limit}`,
        );
        return rows.map(toDocument);
      },
      async find(keys) {
        const ids = JSON.stringify(keys.map(Number));
        const rows = await db.all<ModRow>(
          sql`SELECT ${columns} FROM mods WHERE id IN (SELECT value FROM json_each(${ids})) AND is_visible = 1`,
        );
        return rows.map(toDocument);
      },
    },
  };
}

/** Writes that announce each changed mod by its key. */
export function announceModWrites(db: Database, writes: ModWrites, onChanged: (key: string) => Promise<void>): ModWrites {
  async function announce({ handle, slug }: ModAddress): Promise<void> {
    const [row] = await db.all<{ id: number }>(sql`SELECT id FROM mods WHERE handle = ${handle} AND slug = ${slug}`);
    if (row) await onChanged(modSearchKey(row.id));
  }
  return {
    ...writes,
    async save(write) {
      const isSaved = await writes.save(write);
      if (isSaved) await announce(write.address);
      return isSaved;
    },
    async approve(before, now, announcements, extra) {
      const isApproved = await writes.approve(before, now, announcements, extra);
      if (isApproved) await onChanged(modSearchKey(before.id));
      return isApproved;
    },
    async takeDown(address, now, extra) {
      const isTakenDown = await writes.takeDown(address, now, extra);
      if (isTakenDown) await announce(address);
      return isTakenDown;
    },
  };
}
