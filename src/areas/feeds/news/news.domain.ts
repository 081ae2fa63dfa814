import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { MONTHS } from '../../../platform/kit/time/time-text.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';

/** Limits of a list of news. */
export const MAX_NEWS_ITEMS = 50;
export const DEFAULT_NEWS_ITEMS = 20;

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
type EntityDecoder = (text: string) => string;

/** Maximum number of items per fetch. */
const MAX_NEWS_PER_FETCH = 30;
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
    const title = foldCase(row.title.trim());
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

/** Months of a date in lower case. */
const LOWER_MONTHS = MONTHS.map((name) => name.toLowerCase());
/** UTC offsets in hours of the zone names of RFC 822. */
const ZONES: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{2}|\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s+([a-z]{1,5}|[+-]\d{4}))?$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:\d{2})$/;

/** Parses a date of a feed: RFC 822 with two-digit or four-digit years, or ISO 8601. Null for other texts. */
export function parseFeedDate(text: string): UnixSeconds | null {
  const date = text.trim().toLowerCase();
  if (ISO_8601.test(date))
    return isRealDay(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)))
      ? wholeSeconds(Date.parse(date.toUpperCase()))
      : null;
  const match = RFC_822.exec(date);
  if (!match) return null;
  const [, day, month, year, hours, minutes, seconds = '0', zone = '+0000'] = match;
  const offset = zoneOffsetSeconds(zone);
  const fields = [
    fullYear(year ?? ''),
    LOWER_MONTHS.indexOf(month ?? ''),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  ] as const;
  if (offset === null || !isRealDate(fields)) return null;
  return wholeSeconds(Date.UTC(...fields) - offset * 1000);
}

/** Two-digit years are 1950 to 2049 (RFC 2822). */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function zoneOffsetSeconds(zone: string): number | null {
  const numeric = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  if (numeric) return (numeric[1] === '-' ? -1 : 1) * (Number(numeric[2]) * 3600 + Number(numeric[3]) * 60);
  const hours = ZONES[zone];
  return hours === undefined ? null : hours * 3600;
}

function isRealDate([year, month, day, hours, minutes, seconds]: readonly [number, number, number, number, number, number]): boolean {
  return hours <= 23 && minutes <= 59 && seconds <= 60 && isRealDay(year, month, day);
}

/** Whether the date exists: it survives a round trip. */
function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day;
}

function wholeSeconds(milliseconds: number): UnixSeconds | null {
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
