import { addressOf, integerOf, isObject, type JsonObject, objectOf, objectsIn, textOf } from '../../../platform/kit/values/json-values.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES } from '../feeds-config.domain.ts';

/** A live broadcast. */
export interface Stream {
  channel: string;
  login: string;
  url: string;
  title: string;
  viewers: number;
  game: string | null;
  /** ISO 8601, in the format of the platform. */
  startedAt: string | null;
  thumbnail: string | null;
}

const SITE = 'https://twitch.tv';
const THUMBNAIL_WIDTH = '440';
const THUMBNAIL_HEIGHT = '248';

/** Streams of a response, in its order. Accepts a bare list too. Null: neither format. */
export function normalizeStreams(payload: unknown): Stream[] | null {
  const list = isObject(payload) ? payload.data : payload;
  return Array.isArray(list) ? objectsIn(list).map(streamOf) : null;
}

function streamOf(source: JsonObject): Stream {
  const name = textOf(source.user_name);
  const login = textOf(source.user_login) ?? name ?? '';
  const thumbnail = addressOf(source.thumbnail_url);
  return {
    channel: name ?? login,
    login,
    url: login === '' ? SITE : `${SITE}/${login}`,
    title: textOf(source.title) ?? '',
    viewers: integerOf(source.viewer_count) ?? 0,
    game: textOf(source.game_name),
    startedAt: textOf(source.started_at),
    thumbnail: thumbnail?.replaceAll('{width}', THUMBNAIL_WIDTH).replaceAll('{height}', THUMBNAIL_HEIGHT) ?? null,
  };
}

interface StreamsUpstreamDeps {
  client: UpstreamClient;
  /** Stores the access token between runs. */
  cache: KVNamespace;
  tokenUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
}

const SOURCE = FEED_SOURCES.streams;
const TOKEN_SOURCE = FEED_SOURCES.streamsToken;
const TOKEN_KEY = 'feeds/streams-token';
const GAME_ID = '412756';
const PAGE_SIZE = '100';
/** Default and maximum lifetime of an access token in seconds. */
const TOKEN_TTL_SECONDS = 50 * 86_400;
/** Minimum TTL of KV in seconds. */
const MIN_TTL_SECONDS = 60;

/** Lists live streams with a client-credentials token, which is stored until it expires or is rejected. */
export function createStreamsUpstream({ client, cache, tokenUrl, apiUrl, clientId, clientSecret }: StreamsUpstreamDeps) {
  async function requestToken(signal: AbortSignal): Promise<string> {
    const url = new URL(tokenUrl);
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('client_secret', clientSecret);
    url.searchParams.set('grant_type', 'client_credentials');
    // Retried, because requesting a token has no side effects.
    const response = await client.fetch({ source: TOKEN_SOURCE, url, method: 'POST', attempts: 2, signal });
    const body = objectOf(response.json());
    const token = textOf(body.access_token);
    if (token === null) throw new UpstreamError(TOKEN_SOURCE, 'malformed', 'response has no access token');
    const ttlSeconds = Math.min(TOKEN_TTL_SECONDS, integerOf(body.expires_in) ?? TOKEN_TTL_SECONDS);
    await cache.put(TOKEN_KEY, token, { expirationTtl: Math.max(MIN_TTL_SECONDS, ttlSeconds) });
    return token;
  }

  async function listStreams(token: string, signal: AbortSignal): Promise<Stream[]> {
    const url = new URL(apiUrl);
    url.searchParams.set('game_id', GAME_ID);
    url.searchParams.set('first', PAGE_SIZE);
    const headers = { 'Client-Id': clientId, Authorization: `Bearer ${token}`, Accept: 'application/json' };
    const accepts = (status: number) => status === 200 || status === 401;
    const response = await client.fetch({ source: SOURCE, url, headers, signal, accepts });
    if (response.status === 401) throw new TokenRejectedError();
    const streams = normalizeStreams(response.json());
    if (streams === null) throw new UpstreamError(SOURCE, 'malformed', 'response has no list of streams');
    return streams;
  }

  return {
    async fetch(signal: AbortSignal): Promise<Stream[]> {
      const storedToken = await cache.get(TOKEN_KEY);
      try {
        return await listStreams(storedToken ?? (await requestToken(signal)), signal);
      } catch (error) {
        if (!(error instanceof TokenRejectedError)) throw error;
      }
      // Once: the stored token was revoked early. A new token that is rejected is an error of the credentials.
      try {
        return await listStreams(await requestToken(signal), signal);
      } catch (error) {
        throw error instanceof TokenRejectedError
          ? new UpstreamError(SOURCE, 'status', 'HTTP 401 for a new token', { status: 401 })
          : error;
      }
    },
  };
}

/** The platform rejected the access token. */
class TokenRejectedError extends Error {}
