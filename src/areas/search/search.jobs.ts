import type { SearchContents, SearchDocument, SearchIndex, SearchSource, SearchType } from '../../platform/area/search-source.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { SearchStore } from './search.store.ts';

/** Version of folding and of the documents: an increase copies everything again. */
const INDEX_VERSION = 1;
/** Documents compared and written in one transaction. */
const PAGE_SIZE = 2000;
/** Pages of one run of the job, and of one announced change. */
const MAX_PAGES = 60;
const MAX_PAGES_AT_ONCE = 2;
const TIMEOUT_SECONDS = 240;

interface IndexerDeps {
  store: Pick<SearchStore, 'findState' | 'saveState' | 'replaceRange' | 'replaceKeys' | 'listAfter'>;
  sources(): readonly SearchSource[];
  settings: SettingsSource;
}

/** Keeps the index of the search up to date with its sources. */
export function createSearchIndexer({ store, sources, settings }: IndexerDeps) {
  /**
   * Copies a source whose version has changed, at most `maxPages` pages; the next call goes on after the last one. A version that changes
   * meanwhile is copied from the start after this one. Ends when another copy has gone on meanwhile. Returns the number of pages.
   */
  async function copy({ type }: SearchSource, contents: SearchContents, current: Settings, maxPages: number): Promise<number> {
    let state = await store.findState(type);
    const version = `${INDEX_VERSION}:${await contents.version(current)}`;
    if (state.target === null && state.version === version) return 0;
    const target = state.target ?? version;
    for (let page = 1; page <= maxPages; page += 1) {
      const after = state.target === null ? '' : state.after;
      const documents = await contents.list(after, PAGE_SIZE, current);
      const last = documents.length < PAGE_SIZE ? null : (documents.at(-1)?.key ?? null);
      await store.replaceRange(type, after, last, documents);
      const next = last === null ? { version: target, target: null, after: '' } : { version: state.version, target, after: last };
      if (!(await store.saveState(type, next, state)) || last === null) return page;
      state = next;
    }
    return maxPages;
  }

  async function putAll(type: SearchType, documents: readonly SearchDocument[]): Promise<void> {
    for (let start = 0; start < documents.length; start += PAGE_SIZE) {
      const part = documents.slice(start, start + PAGE_SIZE);
      const keys = part.map(({ key }) => key);
      await store.replaceKeys(type, keys, part);
    }
  }

  async function readChanged(type: SearchType, keys?: readonly string[]): Promise<void> {
    const source = sources().find((known) => known.type === type);
    if (!source?.contents) return;
    if (keys && source.contents.find) return void (await store.replaceKeys(type, keys, await source.contents.find(keys)));
    await copy(source, source.contents, await settings.current(), MAX_PAGES_AT_ONCE);
  }

  /** The job repeats what failed, so a change of an area never fails because of the search. */
  const logged = (type: SearchType, work: Promise<void>) =>
    work.catch((error: unknown) => logError('search index was not updated', error, { type }));

  async function removeAll(type: SearchType, keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += PAGE_SIZE) await store.replaceKeys(type, keys.slice(start, start + PAGE_SIZE), []);
  }

  const index: SearchIndex = {
    list: store.listAfter,
    remove: (type, keys) => logged(type, removeAll(type, keys)),
    put: (type, documents) => logged(type, putAll(type, documents)),
    changed: (type, keys) => logged(type, readChanged(type, keys)),
  };

  const job: Job = {
    name: 'search-index',
    schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, for sources whose version has changed' },
    timeoutSeconds: TIMEOUT_SECONDS,
    async run({ settings: current, signal }) {
      let left = MAX_PAGES;
      const failures: unknown[] = [];
      for (const source of sources()) {
        if (!source.contents || left <= 0 || signal.aborted) continue;
        try {
          left -= await copy(source, source.contents, current, left);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };

  return { index, job };
}
