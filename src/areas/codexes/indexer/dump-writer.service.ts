import { createHash } from 'node:crypto';
import { modelImagePath } from '../../../game/model-image.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import { entryFields } from '../api/entry-fields.domain.ts';
import type { DumpWrites } from '../changes/dumps.store.ts';
import type { CodexEntryRow } from '../codex-rows.domain.ts';
import type { CodexWrites } from './codex-writes.store.ts';

export type DumpStore = Pick<ContentStore, 'putStream'>;

interface DumpDeps {
  writes: Pick<CodexWrites, 'listEntries'>;
  contents: DumpStore;
  dumps: Pick<DumpWrites, 'record'>;
  /** Configured public URL, for `image_url`; empty: `image_url` is a path. */
  baseUrl: string;
}

const ENTRIES_PER_PAGE = 500;
const encoder = new TextEncoder();

/**
 * Stores all entries of a branch as JSON Lines, by path in byte order. A line is the entry of a list without `indexed_at`: equal
 * codexes have equal dumps, and an old dump with the changed entries is the new dump. Streams the entries twice: for the hash, which is the storage key, then to store.
 */
export async function writeDump(
  { writes, contents, dumps, baseUrl }: DumpDeps,
  { branch, ordinal, now }: { branch: string; ordinal: number; now: UnixSeconds },
): Promise<void> {
  const readLines = () => readPages(writes, branch, (row) => toLine(row, baseUrl, branch));
  const hash = createHash('sha256');
  let size = 0;
  for await (const page of readLines()) {
    hash.update(page);
    size += page.length;
  }
  const sha256 = hash.digest('hex');
  const pages = readLines();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  await contents.putStream({ sha256, size, body });
  await dumps.record(branch, ordinal, { sha256, size }, now);
}

async function* readPages(writes: DumpDeps['writes'], branch: string, lineOf: (row: CodexEntryRow) => string): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const page = await writes.listEntries(branch, after, ENTRIES_PER_PAGE);
    if (page.length > 0) yield encoder.encode(page.map(lineOf).join(''));
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_PER_PAGE) return;
    after = last.path;
  }
}

/** Inserts `data`, which is stored as JSON, without parsing it. */
function toLine(row: CodexEntryRow, baseUrl: string, branch: string): string {
  const path = modelImagePath(row.blueprint, branch);
  const fields = { ...entryFields(row), image_url: path === null ? null : baseUrl + path };
  return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data}}\n`;
}
