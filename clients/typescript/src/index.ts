import createFetchClient, { type Client, type ClientOptions, defaultPathSerializer } from 'openapi-fetch';
import { type EventsOptions, type ResumableEvent, streamEvents } from './events.js';
import type { components, paths } from './schema.js';
import { checkedBaseUrl, checkPathParameters, createSend, type RateLimit, type SendOptions } from './send.js';

export type { EventsOptions, ResumableEvent } from './events.js';
export { EventStreamError } from './events.js';
export type { components, operations, paths } from './schema.js';
export type { RateLimit } from './send.js';

/** A schema of the API by name: `Schema<'Corruxion'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface GameDataOptions extends Partial<SendOptions> {
  /** URL of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** API token. Without a token, requests count against the rate limit of the IP address. */
  token?: string;
  /** `User-Agent` header: your program and a contact. Browsers ignore it. */
  userAgent?: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Typed `GET`, `POST` … of openapi-fetch, the event stream, and the current rate limits. */
export interface GameDataClient extends Client<paths> {
  /** Yields messages of `/v1/events/stream`. Reconnects and resumes until `signal` aborts or the loop ends. */
  events(options?: EventsOptions): AsyncGenerator<ResumableEvent, void, undefined>;
  /** Rate limits by name, as of the newest response. */
  readonly rateLimits: ReadonlyMap<string, RateLimit>;
}

/** Creates a client. See README.md for the options. Throws for a `baseUrl` that no request can use. */
export function createClient(options: GameDataOptions): GameDataClient {
  const { baseUrl, token, userAgent } = options;
  const root = checkedBaseUrl(baseUrl);
  const plainFetch = options.fetch ?? ((request: Request) => fetch(request));
  const { send, rateLimits } = createSend(plainFetch, options);
  const headers: Record<string, string> = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (userAgent) headers['User-Agent'] = userAgent;
  const lists: ClientOptions['querySerializer'] = { array: { style: 'form', explode: false } };
  const pathSerializer: ClientOptions['pathSerializer'] = (path, parameters) => {
    checkPathParameters(parameters);
    return defaultPathSerializer(path, parameters);
  };
  const client = createFetchClient<paths>({ baseUrl: root, headers, fetch: send, querySerializer: lists, pathSerializer });
  return Object.assign(client, {
    events: (events: EventsOptions = {}) => streamEvents(plainFetch, `${root}/v1/events/stream`, headers, events),
    rateLimits,
  });
}
