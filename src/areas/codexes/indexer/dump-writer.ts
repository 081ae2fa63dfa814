import { createHash } from 'node:crypto';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import { entryFields } from '../api/entry-fields.domain.ts';
import type { CodexEntryRow } from '../codex-rows.domain.ts';
import type { CodexWrites } from './codex-writes.repository.ts';

export type DumpStore = Pick<ContentStore, 'putStream' | 'delete'>;

export interface DumpDeps {
  writes: Pick<CodexWrites, 'entriesAfter' | 'setDump'>;
  dumps: DumpStore;
}

const ENTRIES_PER_PAGE = 500;
const encoder = new TextEncoder();

/**
 * Stores every entry of a branch as JSON Lines, by path in byte order and without `indexed_at`: equal codexes make equal
 * bytes. It is read twice, for its hash must be known before its first byte is stored, and it is never held as a whole.
 */
export async function writeDump({ writes, dumps }: DumpDeps, branch: string): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const page of pagesOf(writes, branch)) {
    hash.update(page);
    size += page.length;
  }
  const sha256 = hash.digest('hex');
  const pages = pagesOf(writes, branch);
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

async function* pagesOf(writes: DumpDeps['writes'], branch: string): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const page = await writes.entriesAfter(branch, after, ENTRIES_PER_PAGE);
    if (page.length > 0) yield encoder.encode(page.map(toLine).join(''));
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_PER_PAGE) return;
    after = last.path;
  }
}

/** `data` is JSON already. */
function toLine(row: CodexEntryRow): string {
  return `${JSON.stringify(entryFields(row)).slice(0, -1)},"data":${row.data}}\n`;
}
