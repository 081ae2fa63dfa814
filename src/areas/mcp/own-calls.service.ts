import { readUpTo } from '../../platform/kit/streams.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type ApiCall, type ToolContext, ToolFailure, type ToolImage } from './tools/tool.domain.ts';

/** Headers of the client that tools forward. `X-Test-Now` sets the clock in tests. */
const FORWARDED_HEADERS = ['Authorization', 'CF-Connecting-IP', 'User-Agent', 'X-Test-Now'];
/** Maximum size of a response. The lists that tools request are much smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

interface OwnCallsDeps {
  /** Request of the MCP client. */
  request: Request;
  now: UnixSeconds;
  baseUrl: string;
  dispatch(request: Request): Promise<Response>;
}

/**
 * Creates the context in which tools call endpoints of this service, in the same isolate and with the credentials and IP address of the
 * client. Each endpoint applies its own access checks and rate limits.
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
    // The rate limits of an address are counted at the data center that received the request.
    const cf = request.cf as RequestInitCfProperties | undefined;
    if (body === undefined) return dispatch(new Request(url, { headers, cf }));
    const postHeaders = new Headers(headers);
    postHeaders.set('Content-Type', 'application/json');
    return dispatch(new Request(url, { method: 'POST', headers: postHeaders, body: JSON.stringify(body), cf }));
  }

  async function read<Body>(path: string, call: ApiCall = {}): Promise<Body> {
    const response = await send(path, call);
    const { bytes, isComplete } = await readUpTo(response.body, MAX_BODY_BYTES);
    if (!isComplete) throw new ToolFailure(`the response of ${path} is larger than ${MAX_BODY_BYTES} bytes; request fewer items`);
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!response.ok) throw new ToolFailure(failureText(parsed, response));
    return parsed as Body;
  }

  async function readImage(path: string, call: ApiCall, maxBytes: number): Promise<ToolImage | null> {
    const response = await send(path, call);
    const { bytes, isComplete } = await readUpTo(response.body, maxBytes);
    const mimeType = response.headers.get('Content-Type') ?? '';
    if (!response.ok || !isComplete || !mimeType.startsWith('image/')) return null;
    return { data: Buffer.from(bytes).toString('base64'), mimeType };
  }

  return { now, baseUrl, read, readImage };
}

interface Envelope {
  error: { code: string; message: string; hint?: string; doc_url?: string; details?: unknown };
}

/** Converts an endpoint error to text. */
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

/** Hints for users of an assistant, by error code. They replace the hints of the API, which are for developers. */
const ADVICE: Readonly<Record<string, string>> = {
  not_authenticated:
    'This tool requires a valid API token. Create one in the developer portal and add the header "Authorization: Bearer <token>" to the configuration of this server.',
  insufficient_scope: 'The token of this server lacks the scope. Create a token with this scope in the developer portal.',
};
