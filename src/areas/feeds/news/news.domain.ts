import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { parseFeedDate } from './feed-date.domain.ts';

/** An entry of the official feed. XML is decoded; texts are otherwise unchanged. */
export interface NewsEntry {
  title: string;
  link: string;
  author: string;
  /** HTML, possibly escaped twice. */
  description: string;
  categories: readonly string[];
  /** URLs of images: those of `content` elements, then those of `thumbnail` elements. */
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

/** Decodes HTML entities. */
export type EntityDecoder = (text: string) => string;

/** Maximum number of items per fetch. */
export const MAX_NEWS_PER_FETCH = 30;
/** Stored rows read per listed item: the feed lists an article once per category. */
export const NEWS_ROWS_PER_ITEM = 3;

const DEFAULT_AUTHOR = 'Team Trove';
const DEFAULT_CATEGORY = 'News';
const MAX_SUMMARY_LENGTH = 220;

/** News items of a feed in its order. Entries without an http(s) URL are skipped. */
export function toNewsItems(entries: readonly NewsEntry[], decode: EntityDecoder): NewsItem[] {
  return entries.flatMap((entry) => toNewsItem(entry, decode) ?? []).slice(0, MAX_NEWS_PER_FETCH);
}

function toNewsItem(entry: NewsEntry, decode: EntityDecoder): NewsItem | null {
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

/** Plain text of a description: tags become spaces, entities are decoded, and a long text is truncated at a word. */
export function newsSummary(description: string, decode: EntityDecoder): string {
  const text = decode(replaceTags(decode(description)));
  return truncateAtWord(text.replaceAll(/\s+/g, ' ').trim());
}

/** Replaces every `<...>` by a space. Linear also for texts with many opening brackets. */
function replaceTags(html: string): string {
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

function truncateAtWord(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_SUMMARY_LENGTH) return text;
  const start = characters.slice(0, MAX_SUMMARY_LENGTH).join('');
  const lastSpace = start.lastIndexOf(' ');
  return `${(lastSpace < 0 ? start : start.slice(0, lastSpace)).trim()}...`;
}

/** Only http(s): other schemes such as `javascript:` are unsafe in links. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * The latest items from stored rows, newest first. Copies of an article are merged into the newest one, with the categories of all copies.
 */
export function mergeLatestNews(rows: readonly NewsItem[], limit: number): NewsItem[] {
  const merged = new Map<string, NewsItem>();
  for (const row of rows.slice(0, NEWS_ROWS_PER_ITEM * limit)) {
    const title = row.title.trim().toLowerCase();
    const key = title === '' ? `url ${row.url}` : `title ${title}`;
    const existing = merged.get(key);
    merged.set(key, existing ? { ...existing, categories: [...new Set([...existing.categories, ...row.categories])] } : row);
  }
  return [...merged.values()].slice(0, limit);
}

/** The event stream publishes when this value changes; null: no news. */
export function newsStreamSignature(latest: readonly NewsItem[]): string | null {
  return latest[0]?.url ?? null;
}
