import { describe, expect, it } from 'vitest';
import { SIGNED_TTL_SECONDS } from '../../../../src/areas/webhooks/delivery/delivery.data.ts';
import { MAX_BODY_BYTES, signedMessageOf, testMessage } from '../../../../src/areas/webhooks/events/signed-message.domain.ts';
import { excerptOf, signedOutcomeOf } from '../../../../src/areas/webhooks/signed/signed.domain.ts';
import { EVENTS, WEBHOOK_EVENTS } from '../../../support/declarations.ts';

const AT = 1_773_156_000;

describe('events of signed webhooks', () => {
  it('lists every type of the event stream, and those of webhooks alone', () => {
    expect(WEBHOOK_EVENTS.signed).toEqual([...EVENTS.types, ...EVENTS.triggers]);
    expect(EVENTS.types.slice(0, 3)).toEqual(['challenge', 'chaos', 'corruxion']);
  });
});

describe('signedMessageOf', () => {
  it('returns the same message for the same event', () => {
    const event = { id: 7, type: 'chaos' as const, data: { name: 'Chest' }, at: AT };
    expect(signedMessageOf(event)).toEqual({
      id: `evt_7_${AT}`,
      event: 'chaos',
      body: '{"type":"chaos","timestamp":"2026-03-10T15:20:00.000Z","data":{"name":"Chest"}}',
    });
    expect(signedMessageOf(event)).toEqual(signedMessageOf(structuredClone(event)));
  });

  it('returns null data above the size limit', () => {
    const message = signedMessageOf({ id: 7, type: 'activity', data: 'é'.repeat(MAX_BODY_BYTES / 2), at: AT });
    expect(JSON.parse(message.body)).toEqual({ type: 'activity', timestamp: '2026-03-10T15:20:00.000Z', data: null });
  });
});

describe('testMessage', () => {
  it('returns a new id each time', () => {
    expect(testMessage('x', AT)).toMatchObject({ id: 'test_x', event: 'test' });
  });
});

describe('signedOutcomeOf', () => {
  const outcome = (status: number | null, { tries = 1, retryAfter = null as number | null, left = SIGNED_TTL_SECONDS, random = 0 } = {}) =>
    signedOutcomeOf({ status, retryAfterSeconds: retryAfter }, { tries, expiresAt: left * 1000, now: 0 }, () => random);

  it.each([200, 201, 202, 204, 299])('returns delivered for status %i', (status) => {
    expect(outcome(status)).toEqual({ kind: 'delivered' });
  });

  it('returns gone for status 410', () => {
    expect(outcome(410)).toEqual({ kind: 'gone' });
  });

  it.each([null, 301, 302, 400, 401, 404, 418, 429, 500, 502, 503])('returns a retry for status %s', (status) => {
    expect(outcome(status)).toEqual({ kind: 'retry', waitMs: 5000, isBusy: false });
  });

  it.each([0, 0.999])('allows ten attempts within a day (random %d)', (random) => {
    let now = 0;
    const at = [now];
    for (let tries = 1; ; tries += 1) {
      const next = signedOutcomeOf(
        { status: 500, retryAfterSeconds: null },
        { tries, expiresAt: SIGNED_TTL_SECONDS * 1000, now },
        () => random,
      );
      if (next.kind !== 'retry') break;
      now += next.waitMs;
      at.push(now);
    }
    expect(at.length).toBeGreaterThanOrEqual(10);
    expect(at.length).toBeLessThanOrEqual(12);
    expect(at.at(-1)).toBeLessThan(SIGNED_TTL_SECONDS * 1000);
    expect(at.at(-1)).toBeGreaterThan(SIGNED_TTL_SECONDS * 1000 * 0.75);
  });

  it('shortens a delay by up to 20 %', () => {
    expect(outcome(500, { tries: 4, random: 0 })).toMatchObject({ waitMs: 320_000 });
    expect(outcome(500, { tries: 4, random: 0.5 })).toMatchObject({ waitMs: 288_000 });
  });

  it('extends a delay to Retry-After, at most 8 hours', () => {
    expect(outcome(503, { retryAfter: 60, random: 0.9 })).toMatchObject({ waitMs: 60_000 });
    expect(outcome(503, { retryAfter: 999_999 })).toMatchObject({ waitMs: 28_800_000 });
    expect(outcome(503, { retryAfter: 1 })).toMatchObject({ waitMs: 5000 });
  });

  it('returns failed when the next attempt would be after the expiry', () => {
    expect(outcome(500, { left: 5 })).toEqual({ kind: 'failed' });
  });
});

describe('excerptOf', () => {
  it('truncates the text and replaces unprintable characters', () => {
    expect(excerptOf('a'.repeat(900))).toHaveLength(500);
    expect(excerptOf('\u0000a\r\n\tb\u202ec\u2028d\ud800e<script>')).toBe('a b c d\ufffde<script>');
    expect(excerptOf(`${'a'.repeat(499)}😀`)).toBe(`${'a'.repeat(499)}\ufffd`);
  });
});
