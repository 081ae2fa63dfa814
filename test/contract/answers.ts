import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { ERROR_CODES } from '../../src/platform/errors/catalogue.ts';
import { type Answer, ORIGIN } from '../support/requests.ts';

/** The one error body. Strict: nothing else may stand beside these keys. */
const Envelope = z.strictObject({
  error: z.strictObject({
    ...{ code: z.enum(ERROR_CODES), message: z.string().min(1), details: z.unknown().optional() },
    ...{ hint: z.string().min(1), doc_url: z.string().startsWith(`${ORIGIN}/docs/errors#`) },
  }),
});

/** Code of an error answer; null for an answer that is none. Fails when an error is not in the envelope. */
export function codeOf(answer: Answer): string | null {
  return answer.status < 400 ? null : errorOf(answer).code;
}

/** The code that an error page names: browsers get one. */
const PAGE_CODE = /#error-(\w+)">About/;

/** The error of an answer, which must be in the envelope, or a page for a browser. */
export function errorOf(answer: Answer): { code: string; message: string; details?: unknown } {
  if (answer.headers.get('Content-Type') === 'text/html; charset=utf-8') {
    const code = PAGE_CODE.exec(answer.text)?.[1] ?? '';
    expect(ERROR_CODES).toContain(code);
    return { code, message: answer.text };
  }
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  const parsed = Envelope.safeParse(JSON.parse(answer.text));
  expect(parsed.success, `${answer.status}: ${answer.text.slice(0, 500)}`).toBe(true);
  return (parsed.data as z.output<typeof Envelope>).error;
}

/** What the headers of an answer say about the bucket that was charged. */
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

/** The charged bucket; null when no header speaks of one. Fails when the two forms are incomplete or disagree. */
export function rateOf({ headers, now }: Answer): Rate | null {
  const given = RATE_HEADERS.filter((name) => headers.has(name));
  if (given.length === 0) return null;
  expect(given).toEqual(RATE_HEADERS);
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
