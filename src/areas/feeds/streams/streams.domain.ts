import { integerOf, isObject, type JsonObject, objectsIn, textOf } from '../../../platform/kit/values/json-values.ts';

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
  const thumbnail = textOf(source.thumbnail_url);
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
