import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { ERROR_CODES } from '../../src/platform/errors/catalogue.ts';
import { ORIGIN, type TestResponse } from '../support/requests.ts';

/** The error body, without additional keys. */
const Envelope = z.strictObject({
  error: z.strictObject({
    ...{ code: z.enum(ERROR_CODES), message: z.string().min(1), details: z.unknown().optional() },
    ...{ hint: z.string().min(1), doc_url: z.string().startsWith(`${ORIGIN}/docs/errors#`) },
  }),
});

/** Code of an error response; null for other responses. Fails if an error body has another format. */
export function codeOf(response: TestResponse): string | null {
  return response.status < 400 ? null : errorOf(response).code;
}

/** The code on an error page, which browsers get. */
const PAGE_CODE = /#error-(\w+)">About/;

/** The error of a response, which must be an error body or a page for a browser. */
export function errorOf(response: TestResponse): { code: string; message: string; details?: unknown } {
  if (response.headers.get('Content-Type') === 'text/html; charset=utf-8') {
    const code = PAGE_CODE.exec(response.text)?.[1] ?? '';
    expect(ERROR_CODES).toContain(code);
    return { code, message: response.text };
  }
  expect(response.headers.get('Content-Type')).toBe('application/json');
  const parsed = Envelope.safeParse(JSON.parse(response.text));
  expect(parsed.success, `${response.status}: ${response.text.slice(0, 500)}`).toBe(true);
  return (parsed.data as z.output<typeof Envelope>).error;
}

/** The rate limit reported by a response's headers. */
export interface Rate {
  name: string;
  limit: number;
  remaining: number;
  reset: number;
  windowSeconds: number;
}

const POLICY = /^"([a-z-]+)";q=(\d+);w=(\d+)$/;
const LIMIT = /^"([a-z-]+)";r=(\d+);t=(\d+)$/;
const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];

/** The reported rate limit; null without headers. Fails if the two header formats are incomplete or differ. */
export function rateOf({ headers, now }: TestResponse): Rate | null {
  const present = RATE_HEADERS.filter((name) => headers.has(name));
  if (present.length === 0) return null;
  expect(present).toEqual(RATE_HEADERS);
  const [, name = '', quota, window] = POLICY.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
  const [, sameName, left, seconds] = LIMIT.exec(headers.get('RateLimit') ?? '') ?? [];
  const rate = {
    name,
    limit: Number(headers.get('X-RateLimit-Limit')),
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    reset: Number(headers.get('X-RateLimit-Reset')),
    windowSeconds: Number(window),
  };
  expect({ name: sameName, limit: Number(quota), remaining: Number(left), reset: now + Number(seconds) }).toEqual({
    name: rate.name,
    limit: rate.limit,
    remaining: rate.remaining,
    reset: rate.reset,
  });
  return rate;
}
