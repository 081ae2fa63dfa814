import { sql } from 'drizzle-orm';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import { modelImagePath } from '../../../game/model-image.ts';
import type { SearchDocument, SearchSource } from '../../../platform/area/search-source.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { nameFromStem, stemOf } from '../paths.domain.ts';

/** Searched part of a description, in characters. */
const MAX_TEXT_LENGTH = 600;

interface EntryRow {
  type: string;
  path: string;
  name: string;
  category: string;
  description: string;
  blueprint: string | null;
}

/** The entries of the live branch. Each build is a new version. */
export function createCodexSearchSource(db: Database): SearchSource {
  return {
    type: 'codex',
    scope: 'codexes:read',
    isPublic: true,
    feature: 'featureCodexesEnabled',
    contents: {
      async version() {
        const [row] = await db.all<{ generation: number }>(sql`SELECT generation FROM codex_branches WHERE branch = ${LIVE_BRANCH}`);
        return String(row?.generation ?? 0);
      },
      async list(after, limit) {
        const rows =
          await db.all<EntryRow>(sql`SELECT type, path, name, category, substr(description, 1, ${MAX_TEXT_LENGTH}) AS description, blueprint
          FROM codex_entries WHERE branch = ${LIVE_BRANCH} AND path > ${after} ORDER BY path LIMIT ${limit}`);
        return rows.map(toDocument);
      },
    },
  };
}

function toDocument({ type, path, name, category, description, blueprint }: EntryRow): SearchDocument {
  return {
    key: path,
    name: name || nameFromStem(stemOf(path)) || path,
    about: category === '' ? type : `${type}, ${category}`,
    text: description,
    link: `/codex/${encodeURIComponent(type)}/entry?${new URLSearchParams({ path })}`,
    image: modelImagePath(blueprint, LIVE_BRANCH),
  };
}
