import { floorDiv } from '../../../platform/time/arithmetic.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/time/clock.ts';
import { type JsonObject, objectOf, objectsIn, textOf } from '../../../platform/values/json-values.ts';
import { firstOfEachChannel, newestFirst, type Video, type VideoLimits } from './videos.domain.ts';

/** Relevance filter, configurable by administrators. Terms and channels are lower case. */
export interface VideoARules extends VideoLimits {
  excludedChannels: readonly string[];
  excludeTerms: readonly string[];
  requireTerms: readonly string[];
  /** One of these must occur, unless the category matches; no such gate when there are none. */
  signalTerms: readonly string[];
  /** Category that is about games by itself; empty: none is. */
  gamingCategoryId: string;
}

const WATCH_URL = 'https://www.youtube.com/watch?v=';
/** Videos up to this length are shorts. */
const SHORT_SECONDS = 60;
const SHORTS_TERM = 'shorts';
/** Hour of the day, UTC, at which a spent quota is surely renewed: midnight on the American west coast, in winter. */
const RENEWAL_HOUR = 8;

/** Ids of the hits of a search, in its order. */
export function videoIdsIn(search: unknown): string[] {
  return [...new Set(objectsIn(objectOf(search).items).flatMap((hit) => idOfHit(hit) ?? []))];
}

/** The videos worth showing, from the answers to a search and to the question for the details of its hits. */
export function curateVideosA(search: unknown, details: unknown, rules: VideoARules): Video[] {
  const detailById = new Map(objectsIn(objectOf(details).items).map((detail) => [textOf(detail.id) ?? '', detail]));
  const kept = objectsIn(objectOf(search).items).flatMap((hit) => {
    const id = idOfHit(hit);
    if (id === null) return [];
    const candidate = candidateOf(id, objectOf(hit.snippet), detailById.get(id) ?? {});
    return isWanted(candidate, rules) ? [candidate.video] : [];
  });
  return firstOfEachChannel(newestFirst(withoutRepeats(kept)), rules.perChannel).slice(0, rules.maxItems);
}

function idOfHit({ id }: JsonObject): string | null {
  return textOf(objectOf(id).videoId) ?? textOf(id);
}

interface Candidate {
  video: Video;
  /** Everything that is searched for terms, lower case. */
  text: string;
  seconds: number | null;
  categoryId: string | null;
  broadcast: string | null;
}

/** The details know more than the search; what they lack comes from it. */
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
  return textOf(objectOf(objectOf(snippet.thumbnails).high).url);
}

function isWanted({ video, text, seconds, categoryId, broadcast }: Candidate, rules: VideoARules): boolean {
  const has = (term: string) => hasTerm(text, term);
  if (rules.excludedChannels.includes(video.channel.toLowerCase())) return false;
  if (broadcast === 'live' || broadcast === 'upcoming') return false;
  if (seconds !== null && seconds <= SHORT_SECONDS) return false;
  if (has(SHORTS_TERM) || rules.excludeTerms.some(has) || !rules.requireTerms.every(has)) return false;
  const isGaming = rules.gamingCategoryId !== '' && categoryId === rules.gamingCategoryId;
  return rules.signalTerms.length === 0 || isGaming || rules.signalTerms.some(has);
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Whether a term, which may have several words, occurs with a word boundary on both sides. */
export function hasTerm(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (!isWordBeside(text.slice(0, at), term, 'before') && !isWordBeside(text.slice(at + term.length), term, 'after')) return true;
  }
  return false;
}

/** Whether the first or last word of the term continues outside of it. */
function isWordBeside(beside: string, term: string, side: 'before' | 'after'): boolean {
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

/** Seconds of an ISO 8601 duration as the platform writes it; null when it is none. */
export function durationSeconds(text: string | null): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text ?? '');
  if (!match || text === 'P' || text?.endsWith('T')) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function withoutRepeats(videos: readonly Video[]): Video[] {
  return [...new Map(videos.map((video) => [video.url, video])).values()];
}

/** The next instant at which a spent quota is surely renewed. */
export function quotaRenewalAfter(now: UnixSeconds): UnixSeconds {
  const shift = RENEWAL_HOUR * SECONDS_PER_HOUR;
  return (floorDiv(now - shift, SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY + shift;
}
