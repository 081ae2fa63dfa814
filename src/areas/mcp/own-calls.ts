import { readUpTo } from '../../platform/http/bodies/read-stream.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { type ApiCall, type ToolContext, ToolFailure, type ToolImage } from './tool.ts';

/** Headers of the client that its tools' requests carry: who asks, and in tests the clock. */
const PASSED_ON = ['Authorization', 'CF-Connecting-IP', 'User-Agent', 'X-Test-Now'];
/** Most bytes of a body that a tool reads; every list that tools ask for is far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface OwnCallsDeps {
  /** The request of the client. */
  request: Request;
  now: UnixSeconds;
  baseUrl: string;
  dispatch(request: Request): Promise<Response>;
}

/** The service's own endpoints, called in this isolate as the client: its token or address is admitted and charged by each of them. */
export function createToolContext({ request, now, baseUrl, dispatch }: OwnCallsDeps): ToolContext {
  const headers = new Headers({ Accept: 'application/json' });
  for (const name of PASSED_ON) {
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
    if (!isWhole) throw new ToolFailure(`the response of ${path} is larger than ${MAX_BODY_BYTES} bytes; ask for less`);
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

/** The error of an endpoint in a few lines. */
function failureText(body: unknown, response: Response): string {
  const { code, message, hint, doc_url: docUrl } = (body as Envelope).error;
  const wait = response.headers.get('Retry-After');
  return [
    `${code}: ${message}`,
    ...(wait === null ? [] : [`Try again in ${wait} seconds.`]),
    ...(ADVICE[code] === undefined ? (hint ? [hint] : []) : [ADVICE[code]]),
    ...(docUrl ? [`Documentation: ${docUrl}`] : []),
  ].join('\n');
}

/** What the owner of the assistant has to do, where the hint of the API is about requests of programs. */
const ADVICE: Readonly<Record<string, string>> = {
  not_authenticated:
    'This tool needs an API token, and one that is sent must be valid. Make one in the developer portal and add the header "Authorization: Bearer <token>" to the configuration of this server.',
  insufficient_scope: 'The token of this server lacks the scope. Make another one with it in the developer portal.',
};
