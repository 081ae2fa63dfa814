import { describe, expect, it } from 'vitest';
import { testApp } from '../platform/test-app.ts';
import { type Captured, report, reporter } from './reports.ts';

/** Tuesday 2026-03-10 15:31:40 UTC. Windows of the cooldown start at :00, :05, :10 and so on. */
const NOW = 1_773_156_700;
const RESET = 1_773_156_900;

const KINDS: Captured[] = ['challenge', 'chaos-chest'];

describe.each(KINDS)('cooldown of %s reports', (kind) => {
  it('allows one accepted report per five minutes', async () => {
    const authorization = await reporter();
    expect((await report(kind, 'First', { now: NOW, authorization })).status).toBe(200);
    const second = await report(kind, 'Second', { now: NOW + 30, authorization });
    expect([second.status, second.headers.get('Retry-After'), JSON.parse(second.text).error]).toMatchObject([
      429,
      '170',
      { code: 'rate_limited', message: 'more than 1 requests in 300 seconds', details: { limit: 1, window_seconds: 300 } },
    ]);
    expect((await report(kind, 'Second', { now: RESET, authorization })).status).toBe(200);
  });

  it('shows the token rate limit on success and the cooldown beside it on 429', async () => {
    const authorization = await reporter();
    const figures = async () => {
      const { headers } = await report(kind, 'Shown', { now: NOW, authorization });
      return ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) =>
        headers.get(name),
      );
    };
    expect(await figures()).toEqual(['"token";q=120;w=60', '"token";r=119;t=20', '120', '119', '1773156720']);
    for (const left of [118, 117]) {
      const limits = [`"token";r=${left};t=20, "ingest";r=0;t=200`, '1', '0', String(RESET)];
      expect(await figures()).toEqual(['"token";q=120;w=60, "ingest";q=1;w=300', ...limits]);
    }
  });

  it('does not start for rejected reports', async () => {
    const authorization = await reporter();
    for (const body of ['not JSON', '{}', '{"name":""}', '{"name":5}', JSON.stringify({ name: 'x'.repeat(201) })]) {
      const refused = await report(kind, '', { now: NOW, authorization, body, headers: { 'Content-Length': String(body.length) } });
      expect([400, 422]).toContain(refused.status);
    }
    expect((await report(kind, 'Accepted', { now: NOW, authorization })).status).toBe(200);
  });

  it('starts for a report without changes', async () => {
    const [first, second] = [await reporter(), await reporter()];
    await report(kind, 'Same', { now: NOW, authorization: first });
    expect((await report(kind, 'Same', { now: NOW, authorization: second })).status).toBe(200);
    expect((await report(kind, 'Same', { now: NOW, authorization: second })).status).toBe(429);
  });

  it('allows exactly one of many concurrent reports', async () => {
    const authorization = await reporter();
    const responses = await Promise.all(Array.from({ length: 20 }, () => report(kind, 'Raced', { now: NOW, authorization })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(19);
  });

  it('does not block an idempotent replay', async () => {
    const authorization = await reporter();
    const headers = { 'Idempotency-Key': 'report-1' };
    const first = await report(kind, 'Repeated', { now: NOW, authorization, headers });
    const repeat = await report(kind, 'Repeated', { now: NOW + 10, authorization, headers });
    expect([first.status, repeat.status, repeat.headers.get('Idempotent-Replay')]).toEqual([200, 200, 'true']);
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers.get('RateLimit-Policy')).toBe('"token";q=120;w=60');
    expect((await report(kind, 'Repeated', { now: NOW + 10, authorization })).status).toBe(429);
  });

  it('does not consume an idempotency key', async () => {
    const authorization = await reporter();
    await report(kind, 'First', { now: NOW, authorization });
    const headers = { 'Idempotency-Key': 'report-2' };
    expect((await report(kind, 'Second', { now: NOW, authorization, headers })).status).toBe(429);
    const later = await report(kind, 'Second', { now: RESET, authorization, headers });
    expect([later.status, later.headers.get('Idempotent-Replay')]).toEqual([200, null]);
  });
});

describe('report cooldown', () => {
  it('is counted per endpoint and token', async () => {
    const [one, other] = [await reporter(), await reporter()];
    expect((await report('challenge', 'A', { now: NOW, authorization: one })).status).toBe(200);
    expect((await report('chaos-chest', 'A', { now: NOW, authorization: one })).status).toBe(200);
    expect((await report('challenge', 'A', { now: NOW, authorization: other })).status).toBe(200);
    expect((await report('challenge', 'A', { now: NOW, authorization: one })).status).toBe(429);
  });

  it('follows the settings', async () => {
    const fetch = testApp({ settings: { ingestCooldownMax: 2, ingestCooldownWindowSeconds: 60 } });
    const authorization = await reporter();
    const statuses: number[] = [];
    for (const name of ['A', 'B', 'C']) statuses.push((await report('challenge', name, { now: NOW, authorization }, fetch)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await report('challenge', 'D', { now: 1_773_156_720, authorization }, fetch)).status).toBe(200);
  });
});
