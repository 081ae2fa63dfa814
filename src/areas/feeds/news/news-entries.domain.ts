import type { AtomEntry } from '../../../platform/http/replies/atom.ts';
import type { NewsItem } from './news.domain.ts';

const MAX_ENTRIES = 50;

/** Atom entries of articles, each article once. Articles without a time are omitted. */
export function newsEntries(items: readonly NewsItem[]): AtomEntry[] {
  const entries = new Map<string, AtomEntry>();
  for (const { url, title, author, summary, publishedAt } of items) {
    if (publishedAt === null || entries.has(url)) continue;
    entries.set(url, { id: url, title, url, publishedAt, ...(author === '' ? {} : { author }), summary });
  }
  return [...entries.values()].slice(0, MAX_ENTRIES);
}
