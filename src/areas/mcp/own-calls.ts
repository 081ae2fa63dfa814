import { readUpTo } from '../../platform/http/bodies/read-stream.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { type ApiCall, type ToolContext, ToolFailure, type ToolImage } from './tool.ts';

/** Client headers that requests of tools carry. `X-Test-Now` sets the clock in tests. */
const FORWARDED_HEADERS = ['Authorization', 'CF-Connecting-IP', 'User-Agent', 'X-Test-Now'];
/** Far above the size of every list that tools request. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface OwnCallsDeps {
  /** The client's request. */
  request: Request;
  now: UnixSeconds;
  baseUrl: string;
  dispatch(request: Request): Promise<Response>;
}

/**
 * Calls endpoints of this service in the same isolate, with the credentials and address of the client: each endpoint applies its own access
 * checks and rate limits.
 */
export function createToolContext({ request, now, baseUrl, dispatch }: OwnCallsDeps): ToolContext {
  const headers = new Headers({ Accept: 'application/json' });
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }

  function send(path: string, { query = {}, body }: ApiCall): Promise<Response> {
    const url = new URL(path, request.url);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    if (body === undefined) return dispatch(new Request(url, { headers }));
    const sent = new Headers(headers);
    sent.set('Content-Type', 'application/json');
    return dispatch(new Request(url, { method: 'POST', headers: sent, body: JSON.stringify(body) }));
  }

  async function read<Body>(path: string, call: ApiCall = {}): Promise<Body> {
    const response = await send(path, call);
    const { bytes, isWhole } = await readUpTo(response.body, MAX_BODY_BYTES);
    if (!isWhole) throw new ToolFailure(`the response of ${path} is larger than ${MAX_BODY_BYTES} bytes; request fewer items`);
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!response.ok) throw new ToolFailure(failureText(parsed, response));
    return parsed as Body;
  }

  async function readImage(path: string, call: ApiCall, maxBytes: number): Promise<ToolImage | null> {
    const response = await send(path, call);
    const { bytes, isWhole } = await readUpTo(response.body, maxBytes);
    const mimeType = response.headers.get('Content-Type') ?? '';
    if (!response.ok || !isWhole || !mimeType.startsWith('image/')) return null;
    return { data: Buffer.from(bytes).toString('base64'), mimeType };
  }

  return { now, baseUrl, read, readImage };
}

interface Envelope {
  error: { code: string; message: string; hint?: string; doc_url?: string; details?: unknown };
}

/** The error of an endpoint as text lines. */
function failureText(body: unknown, response: Response): string {
  const { code, message, hint, doc_url: docUrl } = (body as Envelope).error;
  const wait = response.headers.get('Retry-After');
  return [
    `${code}: ${message}`,
    ...(wait === null ? [] : [`Retry after ${wait} seconds.`]),
    ...(ADVICE[code] === undefined ? (hint ? [hint] : []) : [ADVICE[code]]),
    ...(docUrl ? [`Documentation: ${docUrl}`] : []),
  ].join('\n');
}

/** Replaces the API hint, which addresses authors of programs, with advice for the owner of the assistant. */
const ADVICE: Readonly<Record<string, string>> = {
  not_authenticated:
    'This tool requires a valid API token. Create one in the developer portal and add the header "Authorization: Bearer <token>" to the configuration of this server.',
  insufficient_scope: 'The token of this server lacks the scope. Create a token with this scope in the developer portal.',
};
