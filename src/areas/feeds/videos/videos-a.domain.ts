import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { addressOf, type JsonObject, objectOf, objectsIn, textOf } from '../../../platform/kit/values/json-values.ts';
import { firstOfEachChannel, newestFirst, type Video, type VideoLimits } from './videos.domain.ts';

/** Relevance filter, configured by administrators. Terms and channels are lower case. */
export interface VideoARules extends VideoLimits {
  excludedChannels: readonly string[];
  excludeTerms: readonly string[];
  requireTerms: readonly string[];
  /** One of these must occur unless the category matches; empty: the condition is not applied. */
  signalTerms: readonly string[];
  /** Category whose videos are always relevant; empty: none. */
  gamingCategoryId: string;
}

const WATCH_URL = 'https://www.youtube.com/watch?v=';
/** Ids are joined to a URL, and become part of links. */
const VIDEO_ID = /^[\w-]{1,64}$/;
/** Results of a search, and ids of a request for details. */
export const VIDEOS_PAGE_SIZE = 50;
/** Maximum length of a short, in seconds. */
const SHORT_SECONDS = 60;
const SHORTS_TERM = 'shorts';
/** UTC hour by which the daily quota is renewed: midnight in Pacific Standard Time. */
const RENEWAL_HOUR = 8;

/** Video ids of a search response, in its order, at most a page. */
export function videoIdsIn(search: unknown): string[] {
  return [...new Set(objectsIn(objectOf(search).items).flatMap((hit) => videoIdOf(hit) ?? []))].slice(0, VIDEOS_PAGE_SIZE);
}

/** Filters and orders the videos of a search response, using the details response. */
export function curateVideosA(search: unknown, details: unknown, rules: VideoARules): Video[] {
  const detailById = new Map(objectsIn(objectOf(details).items).map((detail) => [textOf(detail.id) ?? '', detail]));
  const videos = objectsIn(objectOf(search).items).flatMap((hit) => {
    const id = videoIdOf(hit);
    if (id === null) return [];
    const candidate = candidateOf(id, objectOf(hit.snippet), detailById.get(id) ?? {});
    return isRelevant(candidate, rules) ? [candidate.video] : [];
  });
  return firstOfEachChannel(newestFirst(withoutDuplicates(videos)), rules.perChannel).slice(0, rules.maxItems);
}

function videoIdOf({ id }: JsonObject): string | null {
  const found = textOf(objectOf(id).videoId) ?? textOf(id);
  return found !== null && VIDEO_ID.test(found) ? found : null;
}

interface Candidate {
  video: Video;
  /** Title, description and tags, lower case; searched for terms. */
  text: string;
  seconds: number | null;
  categoryId: string | null;
  broadcast: string | null;
}

/** Prefers the details response and falls back to the search response. */
function candidateOf(id: string, hit: JsonObject, detail: JsonObject): Candidate {
  const snippet = objectOf(detail.snippet);
  const title = textOf(snippet.title) ?? textOf(hit.title) ?? '';
  const tags = Array.isArray(snippet.tags) ? snippet.tags.filter((tag) => typeof tag === 'string') : [];
  const description = textOf(snippet.description) ?? textOf(hit.description) ?? '';
  return {
    video: {
      title,
      url: `${WATCH_URL}${id}`,
      channel: textOf(snippet.channelTitle) ?? textOf(hit.channelTitle) ?? '',
      videoId: id,
      publishedAt: textOf(hit.publishedAt) ?? textOf(snippet.publishedAt),
      thumbnailUrl: thumbnailOf(hit) ?? thumbnailOf(snippet),
    },
    text: [title, description, ...tags].join(' ').toLowerCase(),
    seconds: durationSeconds(textOf(objectOf(detail.contentDetails).duration)),
    categoryId: textOf(snippet.categoryId),
    broadcast: textOf(snippet.liveBroadcastContent) ?? textOf(hit.liveBroadcastContent),
  };
}

function thumbnailOf(snippet: JsonObject): string | null {
  return addressOf(objectOf(objectOf(snippet.thumbnails).high).url);
}

function isRelevant({ video, text, seconds, categoryId, broadcast }: Candidate, rules: VideoARules): boolean {
  const has = (term: string) => hasTerm(text, term);
  if (rules.excludedChannels.includes(video.channel.toLowerCase())) return false;
  if (broadcast === 'live' || broadcast === 'upcoming') return false;
  if (seconds !== null && seconds <= SHORT_SECONDS) return false;
  if (has(SHORTS_TERM) || rules.excludeTerms.some(has) || !rules.requireTerms.every(has)) return false;
  const isGaming = rules.gamingCategoryId !== '' && categoryId === rules.gamingCategoryId;
  return rules.signalTerms.length === 0 || isGaming || rules.signalTerms.some(has);
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Whether a term of one or more words occurs with word boundaries on both sides. */
export function hasTerm(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (!continuesWord(text.slice(0, at), term, 'before') && !continuesWord(text.slice(at + term.length), term, 'after')) return true;
  }
  return false;
}

/** Whether the first or last word of the term continues outside the match. */
function continuesWord(beside: string, term: string, side: 'before' | 'after'): boolean {
  const [outer, inner] = side === 'before' ? [lastCharacter(beside), firstCharacter(term)] : [firstCharacter(beside), lastCharacter(term)];
  return WORD_CHARACTER.test(outer) && WORD_CHARACTER.test(inner);
}

function firstCharacter(text: string): string {
  const code = text.codePointAt(0);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function lastCharacter(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}

/** Seconds of an ISO 8601 duration; null for other texts. */
export function durationSeconds(text: string | null): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text ?? '');
  if (!match || text === 'P' || text?.endsWith('T')) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function withoutDuplicates(videos: readonly Video[]): Video[] {
  return [...new Map(videos.map((video) => [video.url, video])).values()];
}

/** Next time by which the daily quota is renewed. */
export function quotaRenewalAfter(now: UnixSeconds): UnixSeconds {
  const shift = RENEWAL_HOUR * SECONDS_PER_HOUR;
  return (floorDiv(now - shift, SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY + shift;
}
