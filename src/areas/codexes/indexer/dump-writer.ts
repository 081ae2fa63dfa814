import { createHash } from 'node:crypto';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import { entryFields } from '../api/entry-fields.domain.ts';
import type { CodexEntryRow } from '../codex-rows.domain.ts';
import type { CodexWrites } from './codex-writes.repository.ts';

export type DumpStore = Pick<ContentStore, 'putStream' | 'delete'>;

export interface DumpDeps {
  writes: Pick<CodexWrites, 'listEntries' | 'setDump'>;
  dumps: DumpStore;
}

const ENTRIES_PER_PAGE = 500;
const encoder = new TextEncoder();

/**
 * Stores all entries of a branch as JSON Lines, by path in byte order and without `indexed_at`: equal codexes have equal
 * dumps. Streams the entries twice: for the hash, which is the storage key, then to store.
 */
export async function writeDump({ writes, dumps }: DumpDeps, branch: string): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const page of readPages(writes, branch)) {
    hash.update(page);
    size += page.length;
  }
  const sha256 = hash.digest('hex');
  const pages = readPages(writes, branch);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  await dumps.putStream({ sha256, size, body });
  const unused = await writes.setDump(branch, { sha256, size });
  if (unused !== null) await dumps.delete([unused]);
}

async function* readPages(writes: DumpDeps['writes'], branch: string): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const page = await writes.listEntries(branch, after, ENTRIES_PER_PAGE);
    if (page.length > 0) yield encoder.encode(page.map(toLine).join(''));
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_PER_PAGE) return;
    after = last.path;
  }
}

/** Inserts `data`, which is stored as JSON, without parsing it. */
function toLine(row: CodexEntryRow): string {
  return `${JSON.stringify(entryFields(row)).slice(0, -1)},"data":${row.data}}\n`;
}
