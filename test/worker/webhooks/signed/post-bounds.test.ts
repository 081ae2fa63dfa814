import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNameCheck, createSignedClient } from '../../../../src/areas/webhooks/signed/signed.upstream.ts';
import { bearer, call } from '../../../support/requests.ts';
import { createToken } from '../../../support/tokens.ts';
import type { ResolverState } from '../../../support/upstreams/name-resolver.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testUpstream } from '../../../support/upstreams/test-upstream.ts';
import { portalWorld, signedInPerson } from '../../accounts/world.ts';
import { testApp } from '../../platform/test-app.ts';

const HOST = 'hooks.example.com';
const SECRET = `whsec_${btoa('a secret of these tests, 32 byte')}`;
const POST = { url: new URL(`https://${HOST}/hook`), secrets: [SECRET], id: 'msg_1', timestamp: 1_773_156_600, body: '{}' };
const CHUNK_BYTES = 512;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Posts a signed message with a `fetch` of the test to a host whose addresses are public. */
function postWith(doFetch: typeof fetch) {
  const upstream = testUpstream({ fetch: doFetch });
  return createSignedClient({ upstream, nameCheck: async () => 'public', baseUrlOverride: null })(POST);
}

describe('the post of a signed webhook', () => {
  it.each([
    ['no response', () => new Promise<Response>(() => {})],
    ['a response that never ends', async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))],
  ])('ends after 10 s with %s', async (_, respond) => {
    vi.useFakeTimers();
    const results: unknown[] = [];
    void postWith(respond).then((result) => results.push(result));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(results).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(results).toMatchObject([{ status: null, error: 'no complete response within 10 s' }]);
  });

  it.each([200, 500])('stops reading after 2 KiB of a response with status %i, and cancels the rest', async (status) => {
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += CHUNK_BYTES;
          controller.enqueue(new TextEncoder().encode('x'.repeat(CHUNK_BYTES)));
        },
        cancel() {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const result = await postWith(async () => new Response(body, { status }));
    expect(result.status).toBe(status);
    // One more chunk shows that the response is longer.
    expect([sent, isCancelled]).toEqual([2048 + CHUNK_BYTES, true]);
  });

  it('is preceded by a look-up of both kinds of addresses each time, and not sent when one is not public or the resolver fails', async () => {
    const resolver = upstreamSession('name-resolver');
    const receiver = upstreamSession('webhook-receiver');
    const setAddresses = (addresses: ResolverState['names'][string]) => resolver.order({ state: { names: { [HOST]: addresses } } });
    const upstream = testUpstream();
    const nameCheck = createNameCheck(upstream, resolver.vars.DNS_OVER_HTTPS_URL ?? '');
    const send = createSignedClient({ upstream, nameCheck, baseUrlOverride: receiver.url });
    await setAddresses({ A: '93.184.216.34', AAAA: '2606:2800:220:1:248:1893:25c8:1946' });
    expect((await send(POST)).error).toBeNull();
    expect((await send(POST)).error).toBeNull();
    expect((await resolver.calls()).map(({ query }) => query.type).sort()).toEqual(['A', 'A', 'AAAA', 'AAAA']);
    await setAddresses({ A: '93.184.216.34', AAAA: 'fd00::1' });
    expect((await send(POST)).error).toBe('not sent: the host name resolves to an address that is not public');
    await resolver.order({ fault: 'error-500' });
    expect((await send(POST)).error).toBe('not sent: the host name could not be looked up');
    expect(await receiver.calls()).toHaveLength(2);
  });
});

describe('the log line of a request', () => {
  const REQUEST_FIELDS = ['level', 'method', 'route', 'status', 'duration_ms', 'request_id'];

  /** Fields of the lines that a request writes. */
  async function fieldsOf(request: () => Promise<unknown>): Promise<string[][]> {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    await request();
    vi.restoreAllMocks();
    return lines.map((line) => Object.keys(JSON.parse(line)).sort());
  }

  it('has method, route, status, duration and request id, and the id of a token', async () => {
    const fetch = testApp({ settings: {} });
    const secret = await createToken();
    expect(await fieldsOf(() => call('/v1/nothing?email=a@example.com', {}, fetch))).toEqual([REQUEST_FIELDS.toSorted()]);
    expect(await fieldsOf(() => call('/v1/rotations/server-time', { authorization: bearer(secret), now: 1_773_156_600 }, fetch))).toEqual([
      [...REQUEST_FIELDS, 'token_id'].toSorted(),
    ]);
  });

  it('names no account of a session', async () => {
    const { client } = await signedInPerson(portalWorld());
    expect(await fieldsOf(() => client.get('/auth/me'))).toEqual([REQUEST_FIELDS.toSorted()]);
  });
});
