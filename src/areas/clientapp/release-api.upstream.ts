import type { Clock, UnixSeconds } from '../../platform/kit/time/clock.ts';
import { integerOf, objectOf, textOf } from '../../platform/kit/values/json-values.ts';
import type { UpstreamClient, UpstreamResponse } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { type Commit, parseCommits, parseTags, type Tag } from './changelog.domain.ts';
import { parseReleases, type Release } from './releases.domain.ts';

/** A fetched list. */
interface Fetched<Value> {
  value: Value;
  /** Call after the value is stored; the next fetch is then conditional. */
  confirm(): Promise<void>;
}

/** Releases of the repository; `isComplete`: the list contains all of them. */
interface ReleaseList {
  releases: Release[];
  isComplete: boolean;
}

/** Client of the repository of the companion app. Each list is null if it is unchanged since the last confirmed fetch. */
export type ReleaseApi = ReturnType<typeof createReleaseApi>;

interface ReleaseApiDeps {
  client: UpstreamClient;
  /** Real time, for the end of pauses. */
  nowSeconds: Clock;
  apiBase: string;
  /** `<owner>/<name>`. */
  repo: string;
  /** Access token, which raises the limit of 60 requests per hour; empty: none. */
  token: string;
}

type List = 'releases' | 'tags' | 'commits';
const LISTS: readonly List[] = ['releases', 'tags', 'commits'];
const PAGE_SIZE = 100;
/** The list of releases has some hundred kilobytes; the others are smaller. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Pause if the response does not state one. */
const DEFAULT_PAUSE_SECONDS = 900;
const MAX_PAUSE_SECONDS = 86_400;
const LIMITED_STATUSES = [403, 429];

const sourceOf = (list: List) => `clientapp-${list}`;
export const RELEASE_SOURCES: readonly string[] = LISTS.map(sourceOf);

export function createReleaseApi({ client, nowSeconds, apiBase, repo, token }: ReleaseApiDeps) {
  const headers = {
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
    ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
  };

  /** The lists share one rate limit. */
  async function pauseAll(until: UnixSeconds): Promise<void> {
    for (const source of RELEASE_SOURCES) await client.pause(source, until, 'rate limited');
  }

  async function fetchList(list: List, signal: AbortSignal): Promise<Fetched<unknown[]> | null> {
    const source = sourceOf(list);
    const url = new URL(`${apiBase.replace(/\/+$/, '')}/repos/${repo}/${list}?per_page=${PAGE_SIZE}`);
    const accepts = (status: number) => status === 200 || LIMITED_STATUSES.includes(status);
    const response = await client.fetch({ source, url, headers, signal, accepts, maxBytes: MAX_BYTES, conditional: true });
    const now = nowSeconds();
    if (LIMITED_STATUSES.includes(response.status)) throw await pauseForLimit(source, response);
    const limitedUntil = response.headers.get('X-RateLimit-Remaining') === '0' ? pauseEnd(response.headers, now) : null;
    if (limitedUntil !== null) await pauseAll(limitedUntil);
    if (response.notModified) return null;
    const payload = response.json();
    if (isLimitMessage(payload)) throw await pauseForLimit(source, response);
    if (!Array.isArray(payload)) throw new UpstreamError(source, 'malformed', 'response is not a list');
    const confirm = async () => {
      await response.confirm();
      // `confirm` overwrites the stored pause.
      if (limitedUntil !== null) await pauseAll(limitedUntil);
    };
    return { value: payload, confirm };
  }

  async function pauseForLimit(source: string, { headers: responseHeaders, status }: UpstreamResponse): Promise<RateLimited> {
    const until = pauseEnd(responseHeaders, nowSeconds());
    await pauseAll(until);
    return new RateLimited(source, status, until);
  }

  return {
    async fetchReleases(signal: AbortSignal): Promise<Fetched<ReleaseList> | null> {
      const fetched = await fetchList('releases', signal);
      return fetched && { ...fetched, value: { releases: parseReleases(fetched.value), isComplete: fetched.value.length < PAGE_SIZE } };
    },
    async fetchTags(signal: AbortSignal): Promise<Fetched<Tag[]> | null> {
      const fetched = await fetchList('tags', signal);
      return fetched && { ...fetched, value: parseTags(fetched.value) };
    },
    async fetchCommits(signal: AbortSignal): Promise<Fetched<Commit[]> | null> {
      const fetched = await fetchList('commits', signal);
      return fetched && { ...fetched, value: parseCommits(fetched.value) };
    },
  };
}

/** Time when requests are allowed again: `Retry-After`, or the end of the rate limit window. */
function pauseEnd(headers: Headers, now: UnixSeconds): UnixSeconds {
  const wait = integerOf(headers.get('Retry-After'));
  const reset = integerOf(headers.get('X-RateLimit-Reset'));
  const end = wait !== null ? now + wait : (reset ?? now + DEFAULT_PAUSE_SECONDS);
  return Math.min(now + MAX_PAUSE_SECONDS, Math.max(now + 1, end));
}

function isLimitMessage(payload: unknown): boolean {
  return /rate limit/i.test(textOf(objectOf(payload).message) ?? '');
}

/** The release service has rate limited a request; the client sends none before `until`. */
export class RateLimited extends UpstreamError {
  constructor(source: string, status: number, until: UnixSeconds) {
    super(source, 'status', `rate limited until ${new Date(until * 1000).toISOString()}`, { status });
  }
}
