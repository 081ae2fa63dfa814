import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { parseFeedDate } from './feed-date.domain.ts';

/** An entry of the official feed, texts decoded as XML and not otherwise touched. */
export interface NewsEntry {
  title: string;
  link: string;
  author: string;
  /** HTML, escaped once more or not. */
  description: string;
  categories: readonly string[];
  /** Addresses of pictures: those of `content` elements, then those of `thumbnail` elements. */
  images: readonly string[];
  published: string;
}

export interface NewsItem {
  url: string;
  title: string;
  author: string;
  summary: string;
  category: string;
  categories: readonly string[];
  image: string | null;
  publishedAt: UnixSeconds | null;
}

/** Turns HTML entities into characters. */
export type EntityDecoder = (text: string) => string;

/** Most items taken from one fetch. */
export const NEWS_PER_FETCH = 30;
/** Stored rows looked at for each item shown: the feed lists a post once for every category it is in. */
export const NEWS_ROWS_PER_ITEM = 3;

const DEFAULT_AUTHOR = 'Team Trove';
const DEFAULT_CATEGORY = 'News';
const SUMMARY_LENGTH = 220;

/** News items of a feed, in its order. Entries without a usable address are dropped. */
export function newsItemsOf(entries: readonly NewsEntry[], decode: EntityDecoder): NewsItem[] {
  return entries.flatMap((entry) => newsItemOf(entry, decode) ?? []).slice(0, NEWS_PER_FETCH);
}

function newsItemOf(entry: NewsEntry, decode: EntityDecoder): NewsItem | null {
  const url = entry.link.trim();
  if (!isWebAddress(url)) return null;
  const categories = entry.categories.map((category) => decode(category.trim()).trim()).filter((category) => category !== '');
  return {
    url,
    title: decode(entry.title.trim()),
    author: entry.author.trim() || DEFAULT_AUTHOR,
    summary: newsSummary(entry.description, decode),
    category: categories[0] ?? DEFAULT_CATEGORY,
    categories,
    image: entry.images.map((image) => image.trim()).find(isWebAddress) ?? null,
    publishedAt: parseFeedDate(entry.published),
  };
}

/** Plain text of a description: tags become spaces, entities characters, and a long text ends at a word. */
export function newsSummary(description: string, decode: EntityDecoder): string {
  const text = decode(withoutTags(decode(description)));
  return shortened(text.replaceAll(/\s+/g, ' ').trim());
}

/** Replaces every `<...>` by a space; linear also for text full of opening brackets. */
function withoutTags(html: string): string {
  let text = '';
  let position = 0;
  for (;;) {
    const start = html.indexOf('<', position);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end < 0) return text + html.slice(position);
    text += `${html.slice(position, start)} `;
    position = end + 1;
  }
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= SUMMARY_LENGTH) return text;
  const start = characters.slice(0, SUMMARY_LENGTH).join('');
  const lastSpace = start.lastIndexOf(' ');
  return `${(lastSpace < 0 ? start : start.slice(0, lastSpace)).trim()}...`;
}

/** Only http(s): other schemes such as `javascript:` are unsafe in links. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * The latest items from stored rows, newest first: copies of a post become one, the newest, with the categories of all
 * of them.
 */
export function mergeLatestNews(rows: readonly NewsItem[], limit: number): NewsItem[] {
  const merged = new Map<string, NewsItem>();
  for (const row of rows.slice(0, NEWS_ROWS_PER_ITEM * limit)) {
    const title = row.title.trim().toLowerCase();
    const key = title === '' ? `url ${row.url}` : `title ${title}`;
    const kept = merged.get(key);
    merged.set(key, kept ? { ...kept, categories: [...new Set([...kept.categories, ...row.categories])] } : row);
  }
  return [...merged.values()].slice(0, limit);
}

/** The stream publishes when this changes; null while there is no news. */
export function newsStreamSignature(latest: readonly NewsItem[]): string | null {
  return latest[0]?.url ?? null;
}
