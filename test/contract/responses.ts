import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { ERROR_CODES } from '../../src/platform/kit/errors/api-error.ts';
import { ORIGIN, type TestResponse } from '../support/requests.ts';

/** The error body, without additional keys. */
const Envelope = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string().min(1),
    details: z.unknown().optional(),
    hint: z.string().min(1),
    doc_url: z.string().startsWith(`${ORIGIN}/docs/errors#`),
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
/** Items of a list header, each matched by the pattern. */
const itemsOf = (value: string | null, pattern: RegExp) => (value ?? '').split(', ').map((item) => pattern.exec(item) ?? []);
const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];

/**
 * The rate limits that a response reports, that of the endpoint first. Fails if the header formats are incomplete or differ, or if the
 * `X-RateLimit-*` headers do not show the one with the least left.
 */
export function ratesOf({ headers, now }: TestResponse): Rate[] {
  const present = RATE_HEADERS.filter((name) => headers.has(name));
  if (present.length === 0) return [];
  expect(present).toEqual(RATE_HEADERS);
  const policies = itemsOf(headers.get('RateLimit-Policy'), POLICY);
  const limits = itemsOf(headers.get('RateLimit'), LIMIT);
  expect(limits.map(([, name]) => name)).toEqual(policies.map(([, name]) => name));
  const rates = policies.map(([, name = '', limit, windowSeconds], index) => {
    const [, , remaining, seconds] = limits[index] ?? [];
    return { name, limit: Number(limit), remaining: Number(remaining), reset: now + Number(seconds), windowSeconds: Number(windowSeconds) };
  });
  const [limit, remaining, reset] = RATE_HEADERS.slice(0, 3).map((name) => Number(headers.get(name)));
  expect(rates).toContainEqual(expect.objectContaining({ limit, remaining, reset }));
  expect(remaining).toBe(Math.min(...rates.map((rate) => rate.remaining)));
  return rates;
}

/** The rate limit of the endpoint; null without headers. See `ratesOf`. */
export function rateOf(response: TestResponse): Rate | null {
  return ratesOf(response)[0] ?? null;
}
