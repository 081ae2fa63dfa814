import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { splitPath } from '../../../src/areas/updates/paths.domain.ts';
import { NO_END_ORDINAL } from '../../../src/areas/updates/updates.data.ts';
import { createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { oncePerFile } from '../once-per-file.ts';

const CONCURRENCY = 40;

/** Hashes of the contents that are stored: branches and versions share most of their files. */
const storedContents = oncePerFile(() => new Set<string>());

/** Stores files as a complete version of a branch, in the archiver's format. */
export async function storeBranch(branch: string, ordinal: number, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const contents = createContentStore(env.ARCHIVE);
  const { results } = await env.DB.prepare(
    'SELECT dir || name AS path, content_sha256 AS sha256 FROM archive_files WHERE branch = ? AND to_ordinal = ?',
  )
    .bind(branch, NO_END_ORDINAL)
    .all<{ path: string; sha256: string }>();
  const before = new Map(results.map(({ path, sha256 }) => [path, sha256]));
  const known = storedContents();
  const rows: object[] = [];
  const store = async ([path, bytes]: [string, Uint8Array]) => {
    const copy = new Uint8Array(bytes);
    const sha256 = await sha256Of(copy);
    if (before.get(path) === sha256) return before.delete(path);
    if (!known.has(sha256)) await contents.put(copy);
    known.add(sha256);
    return rows.push({ ...splitPath(path), sha256, size: bytes.length });
  };
  const all = [...files];
  for (let start = 0; start < all.length; start += CONCURRENCY) await Promise.all(all.slice(start, start + CONCURRENCY).map(store));
  // The remaining entries of the previous version were changed or removed.
  await env.DB.batch([
    env.DB.prepare(`UPDATE archive_files SET to_ordinal = ?1 WHERE branch = ?2 AND to_ordinal = ?3
      AND dir || name IN (SELECT value FROM json_each(?4))`).bind(ordinal, branch, NO_END_ORDINAL, JSON.stringify([...before.keys()])),
    env.DB.prepare(`INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size)
      SELECT ?1, value->>'dir', value->>'name', ?2, ?3, ?2, value->>'sha256', value->>'size' FROM json_each(?4)`).bind(
      branch,
      ordinal,
      NO_END_ORDINAL,
      JSON.stringify(rows),
    ),
    env.DB.prepare(`INSERT INTO archive_branches (branch, current_ordinal, current_version) VALUES (?1, ?2, 'T')
      ON CONFLICT (branch) DO UPDATE SET current_ordinal = excluded.current_ordinal`).bind(branch, ordinal),
  ]);
}

/** Indexes the archived version with the branch's object. Returns the number of steps. */
export async function indexBranch(branch: string, now: number): Promise<number> {
  const object = env.CODEX_INDEX.getByName(branch);
  await object.start(branch, now);
  let steps = 0;
  while (await runDurableObjectAlarm(object)) steps += 1;
  return steps;
}
