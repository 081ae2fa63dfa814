import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type EventsOptions, type ResumableEvent, streamEvents } from './events.js';
import type { components, paths } from './schema.js';
import { type Budget, createSend, type SendOptions } from './send.js';

export type { EventsOptions, ResumableEvent } from './events.js';
export { EventStreamError } from './events.js';
export type { components, operations, paths } from './schema.js';
export type { Budget } from './send.js';

/** A schema of the API by its name: `Schema<'Corruxion'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface GameDataOptions extends Partial<SendOptions> {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** API token. Absent: the budget of the address. */
  token?: string;
  /** Sent as `User-Agent` where the platform allows it: name your program and how to reach you. */
  userAgent?: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** `GET`, `POST` … of openapi-fetch over typed paths, the event stream, and the budgets seen last. */
export interface GameDataClient extends Client<paths> {
  /** Messages of `/v1/events/stream`, without end: reconnects and resumes by itself until `signal` aborts or the loop is left. */
  events(options?: EventsOptions): AsyncGenerator<ResumableEvent, void, undefined>;
  /** What is left of each budget, by its name, as of the newest response. */
  readonly budgets: ReadonlyMap<string, Budget>;
}

/** Creates a client. See README.md for the options. */
export function createClient(options: GameDataOptions): GameDataClient {
  const { baseUrl, token, userAgent } = options;
  const root = baseUrl.replace(/\/+$/, '');
  const plainFetch = options.fetch ?? ((request: Request) => fetch(request));
  const { send, budgets } = createSend(plainFetch, options);
  const headers: Record<string, string> = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (userAgent) headers['User-Agent'] = userAgent;
  const lists: ClientOptions['querySerializer'] = { array: { style: 'form', explode: false } };
  const client = createFetchClient<paths>({ baseUrl: root, headers, fetch: send, querySerializer: lists });
  return Object.assign(client, {
    events: (events: EventsOptions = {}) => streamEvents(plainFetch, `${root}/v1/events/stream`, headers, events),
    budgets,
  });
}
