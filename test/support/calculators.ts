import { bearer, call, type Fetch, type TestResponse } from './requests.ts';
import { createToken } from './tokens.ts';

/** A response with its body read as JSON. */
export interface JsonReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  body: any;
  headers: Headers;
  text: string;
}

/** Sends requests to calculators with a token of one scope. */
export interface Calculators {
  get(path: string, headers?: Record<string, string>): Promise<JsonReply>;
  /** Objects are sent as JSON, strings unchanged, undefined without a body. */
  post(path: string, body?: unknown): Promise<JsonReply>;
}

export async function asToken(fetch: Fetch, scopes: number): Promise<Calculators> {
  const authorization = bearer(await createToken({ scopes }));
  return {
    get: async (path, headers = {}) => withJson(await call(path, { authorization, headers }, fetch)),
    post: async (path, body) => {
      const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
      return withJson(
        await call(path, { method: 'POST', authorization, body: text, headers: { 'Content-Type': 'application/json' } }, fetch),
      );
    },
  };
}

export function withJson({ status, headers, text }: TestResponse): JsonReply {
  const isJson = headers.get('Content-Type') === 'application/json';
  return { status, headers, text, body: isJson ? JSON.parse(text) : null };
}

/** What `faultIn` returns for a field outside of its enumeration (400) or of another shape (422). */
export const faultAt = (status: number, loc: string) => [status, status === 400 ? 'bad_request' : 'validation_error', loc];

/** Status, code and first field of an error response. */
export function faultIn({ status, body }: JsonReply): [status: number, code: string, loc: string | undefined] {
  return [status, body.error.code, body.error.details?.[0]?.loc.join('.')];
}
