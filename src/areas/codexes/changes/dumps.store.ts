import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ByteRange, ContentStore } from '../../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/database.ts';
import { compareDumps, type EntryChange, type FieldChange } from './dump-difference.domain.ts';

/** Builds of a branch whose dump and changes are kept. */
export const MAX_KEPT_DUMPS = 20;
/** Changes between two positions that are stored as byte offsets. */
const CHANGES_PER_MARK = 100;

/** The dump of a build, and its differences from the dump of the build before it. */
export interface DumpRow {
  branch: string;
  ordinal: number;
  sha256: string;
  size: number;
  created_at: UnixSeconds;
  /** Build that the changes are compared with; null before the comparison, and for the first kept build. */
  previous: number | null;
  changes_sha256: string | null;
  changes_size: number | null;
  /** JSON list of the byte offset of every hundredth change. */
  marks: string | null;
  added: number;
  modified: number;
  removed: number;
}

type DumpContents = Pick<ContentStore, 'has' | 'open' | 'putStream' | 'delete'>;

const hashesOf = (rows: SQL) =>
  sql`SELECT sha256 FROM (${rows}) UNION SELECT changes_sha256 FROM (${rows}) WHERE changes_sha256 IS NOT NULL`;

/** Writes dumps of the codexes and their differences: rows in D1, contents in R2. A branch has one writer. */
export function createDumpWrites(db: Database, contents: DumpContents) {
  /** Runs a change of the rows and deletes contents that no row references afterwards. */
  async function change(branch: string, statements: readonly SQL[]): Promise<void> {
    const rows = sql`SELECT sha256, changes_sha256 FROM codex_dumps`;
    const before = await db.all<{ sha256: string }>(hashesOf(sql`${rows} WHERE branch = ${branch}`));
    const results = await runInOneTransaction(db, [...statements, hashesOf(rows)]);
    const referenced = new Set(results.at(-1)?.map(({ sha256 }) => sha256));
    const unused = before.map(({ sha256 }) => sha256).filter((sha256) => !referenced.has(sha256));
    if (unused.length > 0) await contents.delete(unused);
  }

  return {
    /** Records the dump of a build, replaces that of the same version and forgets builds beyond the maximum. Idempotent. */
    record(branch: string, ordinal: number, { sha256, size }: { sha256: string; size: number }, now: UnixSeconds): Promise<void> {
      return change(branch, [
        sql`UPDATE codex_branches SET dump_sha256 = ${sha256}, dump_size = ${size} WHERE branch = ${branch}`,
        sql`INSERT INTO codex_dumps (branch, ordinal, sha256, size, created_at) VALUES (${branch}, ${ordinal}, ${sha256}, ${size}, ${now})
          ON CONFLICT (branch, ordinal) DO UPDATE SET created_at = excluded.created_at`,
        // The same dump keeps its changes: the dump that they were compared with may not be kept.
        sql`UPDATE codex_dumps SET sha256 = ${sha256}, size = ${size}, previous = NULL, changes_sha256 = NULL, changes_size = NULL, marks = NULL,
          added = 0, modified = 0, removed = 0 WHERE branch = ${branch} AND ordinal = ${ordinal} AND sha256 <> ${sha256}`,
        sql`DELETE FROM codex_dumps WHERE branch = ${branch} AND ordinal NOT IN
          (SELECT ordinal FROM codex_dumps WHERE branch = ${branch} ORDER BY ordinal DESC LIMIT ${MAX_KEPT_DUMPS})`,
      ]);
    },

    /** Compares the dump of a build with that of the build before it and stores the changes. No effect if either is not kept. */
    async compare(branch: string, ordinal: number): Promise<void> {
      const [dump, previous] = await db.all<DumpRow>(sql`SELECT * FROM codex_dumps WHERE branch = ${branch} AND ordinal <= ${ordinal}
        ORDER BY ordinal DESC LIMIT 2`);
      if (dump?.ordinal !== ordinal || !previous || !(await contents.has(previous.sha256))) return;
      const changes = () => changeLines(contents, previous.sha256, dump.sha256);
      const hash = createHash('sha256');
      const counts = { added: 0, modified: 0, removed: 0 };
      const marks: number[] = [];
      let [size, count] = [0, 0];
      for await (const { line, change: kind } of changes()) {
        if (count % CHANGES_PER_MARK === 0) marks.push(size);
        hash.update(line);
        size += line.length;
        count += 1;
        counts[kind] += 1;
      }
      const sha256 = hash.digest('hex');
      if (size > 0) await contents.putStream({ sha256, size, body: streamOf(changes()) });
      await change(branch, [
        sql`UPDATE codex_dumps SET previous = ${previous.ordinal}, changes_sha256 = ${size > 0 ? sha256 : null}, changes_size = ${size},
          marks = ${JSON.stringify(marks)}, added = ${counts.added}, modified = ${counts.modified}, removed = ${counts.removed}
          WHERE branch = ${branch} AND ordinal = ${ordinal}`,
      ]);
    },
  };
}

export type DumpWrites = ReturnType<typeof createDumpWrites>;

const offsetsOf = ({ marks }: DumpRow) => JSON.parse(marks ?? '[]') as number[];
const pathOf = (line: string) => (JSON.parse(line) as EntryChange).path;
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Reads of kept dumps and their differences. */
export function createDumpReads(reads: PublicReads, contents: Pick<ContentStore, 'open'>) {
  /** A page of the changes of a build, as JSON texts. */
  async function listChanges(row: DumpRow, page: { limit: number; offset: number }): Promise<string[]> {
    const { changes_sha256: sha256, changes_size: size } = row;
    const offsets = offsetsOf(row);
    const first = Math.floor(page.offset / CHANGES_PER_MARK);
    const start = offsets[first];
    if (sha256 === null || size === null || start === undefined) return [];
    const last = Math.floor((page.offset + page.limit - 1) / CHANGES_PER_MARK) + 1;
    const range: ByteRange = { offset: start, length: (offsets[last] ?? size) - start };
    const body = range.length === 0 ? null : await contents.open(sha256, range);
    if (!body) return [];
    const lines = (await new Response(body).text()).split('\n').slice(0, -1);
    const skip = page.offset - first * CHANGES_PER_MARK;
    return lines.slice(skip, skip + page.limit);
  }

  return {
    /** The kept dumps of a branch, newest first. */
    list: (branch: string): Promise<DumpRow[]> =>
      reads.all<DumpRow>(sql`SELECT * FROM codex_dumps WHERE branch = ${branch} ORDER BY ordinal DESC LIMIT ${MAX_KEPT_DUMPS}`),

    /** The dump of a version; null if it is not kept. */
    async find(branch: string, ordinal: number): Promise<DumpRow | null> {
      const rows = await reads.all<DumpRow>(sql`SELECT * FROM codex_dumps WHERE branch = ${branch} AND ordinal = ${ordinal}`);
      return rows[0] ?? null;
    },

    /** The dump of the newest build that has one; null without any. The branch may already have a newer build. */
    async findNewest(branch: string): Promise<DumpRow | null> {
      const rows = await reads.all<DumpRow>(sql`SELECT d.* FROM codex_branches b
        JOIN codex_dumps d ON d.branch = b.branch AND d.sha256 = b.dump_sha256 WHERE b.branch = ${branch} ORDER BY d.ordinal DESC LIMIT 1`);
      return rows[0] ?? null;
    },

    listChanges,

    /**
     * The change of an entry in a build, as JSON text; null without one. The changes are in the byte order of their paths, so one read of
     * a hundred of them halves the rest.
     */
    async findChange(row: DumpRow, path: string): Promise<string | null> {
      let [low, high] = [0, offsetsOf(row).length - 1];
      while (low <= high) {
        const middle = (low + high) >> 1;
        const lines = await listChanges(row, { limit: CHANGES_PER_MARK, offset: middle * CHANGES_PER_MARK });
        const [first, last] = [lines[0], lines.at(-1)];
        if (first === undefined || last === undefined) return null;
        if (compareBytes(path, pathOf(first)) < 0) high = middle - 1;
        else if (compareBytes(path, pathOf(last)) > 0) low = middle + 1;
        else return lines.find((line) => pathOf(line) === path) ?? null;
      }
      return null;
    },
  };
}

export type DumpReads = ReturnType<typeof createDumpReads>;

const encoder = new TextEncoder();

async function* changeLines(
  { open }: DumpContents,
  before: string,
  after: string,
): AsyncGenerator<{ line: Uint8Array; change: EntryChange['change'] }> {
  const [old, current] = await Promise.all([open(before), open(after)]);
  if (!old || !current) throw new Error('a dump is not stored');
  for await (const change of compareDumps(old, current))
    yield { line: encoder.encode(`${JSON.stringify(change)}\n`), change: change.change };
}

function streamOf(lines: AsyncGenerator<{ line: Uint8Array }>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value.line);
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

const totalOf = ({ added, modified, removed }: DumpRow) => added + modified + removed;

/** Reads kept builds and their changes. `read` throws 404 if the changes of a version are not kept. */
export function createPatchReader(dumps: DumpReads) {
  async function readTexts(branchName: string, version: number, page: { limit: number; offset: number }) {
    const row = await dumps.find(branchName, version);
    if (row?.previous == null) throw notFound('no changes of this version are kept; see /v1/codexes/builds');
    return { row, lines: await dumps.listChanges(row, page), total: totalOf(row) };
  }
  return {
    list: dumps.list,
    /** The fields of an entry that a listed build changed; empty if it did not change them, or added or removed the entry. */
    async readFields(build: DumpRow, path: string): Promise<FieldChange[]> {
      const line = await dumps.findChange(build, path);
      const change = line === null ? null : (JSON.parse(line) as EntryChange);
      return change?.change === 'modified' ? change.fields : [];
    },
    /** Changes as JSON texts. */
    readTexts,
    async read(branchName: string, version: number, page: { limit: number; offset: number }) {
      const { lines, ...patch } = await readTexts(branchName, version, page);
      return { ...patch, items: lines.map((line): EntryChange => JSON.parse(line)) };
    },
  };
}

export type PatchReader = ReturnType<typeof createPatchReader>;
