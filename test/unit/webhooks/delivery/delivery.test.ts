import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, type ChatAddress, maskedUrl, parseAddress } from '../../../../src/areas/webhooks/chat/address.domain.ts';
import { CHAT_LIMITS } from '../../../../src/areas/webhooks/delivery/delivery.data.ts';
import { afterPost, EMPTY_WINDOW, nextPostAt, outcomeOf } from '../../../../src/areas/webhooks/delivery/delivery.domain.ts';
import type { EventBodies, EventType } from '../../../../src/platform/events/event-declaration.ts';
import { CHAT_HOSTS } from '../../../../src/platform/upstream/chat-post.ts';
import { EVENTS, WEBHOOK_EVENTS } from '../../../support/declarations.ts';

const SECRET = 'Zm9yIGV4YW1wbGUgb25seSwgbm90IHJlYWw';
const at = (rest: string) => `https://discord.com/api/webhooks/${rest}`;

function accepted(text: string): ChatAddress {
  const address = parseAddress(text);
  if (typeof address === 'string') throw new Error(address);
  return address;
}

describe('parseAddress', () => {
  it.each([
    [at(`1201/${SECRET}`), at(`1201/${SECRET}`)],
    [` https://DISCORD.com/api/v10/webhooks/1201/${SECRET} `, `https://discord.com/api/v10/webhooks/1201/${SECRET}`],
    [
      `https://ptb.discord.com/api/webhooks/1/${SECRET}?wait=true&thread_id=77`,
      `https://ptb.discord.com/api/webhooks/1/${SECRET}?thread_id=77`,
    ],
    [`https://canary.discord.com/api/webhooks/1/${SECRET}?wait=true`, `https://canary.discord.com/api/webhooks/1/${SECRET}`],
    [`https://discordapp.com:443/api/webhooks/1/a-b_c`, 'https://discordapp.com/api/webhooks/1/a-b_c'],
  ])('accepts %s', (text, stored) => {
    expect(addressText(accepted(text))).toBe(stored);
  });

  it.each([
    '',
    'nonsense',
    `http://discord.com/api/webhooks/1/${SECRET}`,
    `https://discord.com.evil.example/api/webhooks/1/${SECRET}`,
    `https://evil.example/https://discord.com/api/webhooks/1/${SECRET}`,
    `https://discord.com@evil.example/api/webhooks/1/${SECRET}`,
    `https://user:pass@discord.com/api/webhooks/1/${SECRET}`,
    `https://discord.com:8443/api/webhooks/1/${SECRET}`,
    `https://www.discord.com/api/webhooks/1/${SECRET}`,
    `https://127.0.0.1/api/webhooks/1/${SECRET}`,
    at(`1/${SECRET}/slack`),
    at(`1/${SECRET}/`),
    at('x/abc'),
    at('1/'),
    at('1/a%2fb'),
    at(`1/../../x/${SECRET}`),
    at(`1/${SECRET}#x`),
    at(`1/${SECRET}?thread_id=x`),
    `https://discord.com/api/v/webhooks/1/${SECRET}`,
    `https://discord.com/webhooks/1/${SECRET}`,
    `file:///api/webhooks/1/${SECRET}`,
  ])('rejects %s', (text) => {
    expect(typeof parseAddress(text)).toBe('string');
  });

  it('returns a known host and a webhook path for every accepted random text', () => {
    const piece = fc.constantFrom(
      ...['https://', 'http://', 'discord.com', 'evil.example', '@', ':', '443', '/', '\\', '//', 'api', 'v9', 'webhooks', '1', SECRET],
      ...['?', '#', 'thread_id=', '%2e', '..', '\n', '\t', ' ', ';', '%40', '\u2100', '。'],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 3 }).map((pieces) => `https://discord.com/api/webhooks/1/${SECRET}${pieces.join('')}`),
      fc.array(piece, { maxLength: 3 }).map((pieces) => `https://${pieces.join('')}discord.com/api/webhooks/1/${SECRET}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        const address = parseAddress(given);
        if (typeof address === 'string') {
          expect(address).not.toContain(SECRET);
          return;
        }
        const url = new URL(addressText(address));
        expect([url.protocol, url.username, url.password, url.port, url.hash]).toEqual(['https:', '', '', '', '']);
        expect(CHAT_HOSTS).toContain(url.hostname);
        expect(url.pathname).toMatch(/^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+$/);
        expect(addressText(accepted(addressText(address)))).toBe(addressText(address));
      }),
      { seed: 20260310, numRuns: 2000 },
    );
  });

  it('masks the secret of the URL', () => {
    expect(maskedUrl(accepted(`${at(`1201/${SECRET}`)}?thread_id=5`))).toBe(`${at('1201/Zm9y…Ww')}?thread_id=5`);
    expect(maskedUrl(accepted(at('1201/short')))).toBe(at('1201/…'));
  });

  it('returns the same identity for every host and API version', () => {
    const ones = [at(`1/${SECRET}`), `https://discordapp.com/api/v10/webhooks/1/${SECRET}?thread_id=5`].map(
      (text) => accepted(text).identity,
    );
    expect(new Set(ones).size).toBe(1);
    expect(accepted(at(`2/${SECRET}`)).identity).not.toBe(ones[0]);
  });
});

describe('outcomeOf', () => {
  const DAY_MS = 86_400_000;
  const outcome = (status: number | null, tries = 1, retryAfterSeconds: number | null = null, now = 0) =>
    outcomeOf({ status, retryAfterSeconds }, { tries, now, expiresAt: DAY_MS });
  const retryAfter = (seconds: number, isBusy = false) => ({ kind: 'retry', waitMs: seconds * 1000, isBusy });

  it.each([
    [200, { kind: 'delivered' }],
    [204, { kind: 'delivered' }],
    [404, { kind: 'gone' }],
    [410, { kind: 'gone' }],
    ...[301, 302, 307, 400, 401, 403, 413].map((status): [number, object] => [status, { kind: 'failed' }]),
  ])('returns the final outcome for status %i', (status, expected) => {
    expect(outcome(status)).toEqual(expected);
  });

  it('backs off from seconds to an hour without a response and for 408 and 5xx', () => {
    const pauses = [2, 8, 32, 128, 512, 2048, 3600, 3600];
    for (const status of [null, 408, 500, 503]) {
      expect(pauses.map((_, index) => outcome(status, index + 1))).toEqual(pauses.map((seconds) => retryAfter(seconds)));
    }
  });

  it('waits for Retry-After of a 429, at most an hour, and backs off without one', () => {
    const waits = [0, 2, 40, 3600, 7200].map((seconds) => outcome(429, 5, seconds));
    expect(waits).toEqual([0, 2, 40, 3600, 3600].map((seconds) => retryAfter(seconds, true)));
    expect(outcome(429, 2, null)).toEqual(retryAfter(8, true));
  });

  it('waits at least for Retry-After of a 503, at most an hour', () => {
    const waits = [1, 40, 7200].map((seconds) => outcome(503, 2, seconds));
    expect(waits).toEqual([8, 40, 3600].map((seconds) => retryAfter(seconds)));
  });

  it('expires when the next attempt would be after a day', () => {
    expect(outcome(503, 9, null, DAY_MS - 3_600_001)).toEqual(retryAfter(3600));
    expect(outcome(503, 9, null, DAY_MS - 3_600_000)).toEqual({ kind: 'expired' });
  });
});

describe('nextPostAt', () => {
  it('allows five posts in two seconds and thirty in a minute', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 80 }), (gaps) => {
        let window = EMPTY_WINDOW;
        let now = 1_000_000;
        const posts = gaps.map((gap) => {
          now += gap;
          const at = nextPostAt(window, now, CHAT_LIMITS);
          window = afterPost(window, at);
          return at;
        });
        for (const [index, at] of posts.entries()) {
          expect(at - (posts[index - 5] ?? -Infinity)).toBeGreaterThanOrEqual(2000);
          expect(at - (posts[index - 30] ?? -Infinity)).toBeGreaterThanOrEqual(60_000);
        }
        expect([...posts].sort((a, b) => a - b)).toEqual(posts);
      }),
      { seed: 20260310, numRuns: 300 },
    );
    expect(nextPostAt({ posts: [], busyUntil: 500 }, 100, CHAT_LIMITS)).toBe(500);
  });
});

describe('chatJobOf', () => {
  function jobOf<Type extends EventType>(type: Type, changes: (body: EventBodies[Type]) => object, at = 150) {
    const sample = EVENTS.of(type).sample(0);
    const body = Object.assign(structuredClone(sample), changes(sample));
    const job = WEBHOOK_EVENTS.chatJobOf({ id: 7, type, data: body, body, at } as never);
    return job && { key: job.key, event: job.event, variables: job.variables };
  }
  const challenge = { starts_at: 100, ends_at: 200, active: true, is_friday_window: true } as const;

  it('returns a challenge when its name is known, with a new key when the name changes', () => {
    expect(jobOf('challenge', () => ({ ...challenge, name: null, type: null }))).toBeNull();
    expect(jobOf('challenge', () => challenge)).toEqual({
      key: 'challenge:100:RAMPAGE ALERT!',
      event: 'challenge',
      variables: {
        name: 'RAMPAGE ALERT!',
        type: 'rampage',
        type_label: 'Rampage',
        starts_at: 100,
        ends_at: 200,
        status: 'live',
        is_friday: true,
      },
    });
    expect(jobOf('challenge', () => ({ ...challenge, active: false }), 201)?.key).toBe('challenge:100:RAMPAGE ALERT!');
    expect(jobOf('challenge', () => ({ ...challenge, name: 'Other' }))?.key).toBe('challenge:100:Other');
    const closed = { ...challenge, active: false };
    expect([50, 200].map((at) => jobOf('challenge', () => closed, at)?.variables.status)).toEqual(['upcoming', 'ended']);
  });

  it('uses fallbacks for empty values of a mod release', () => {
    const links = { download_url: 'https://api.example.com/d', page_url: 'https://example.com/p' };
    const job = jobOf('mod_release', ({ release }) => ({
      project: { slug: 'tiny', title: '', owner: '' },
      release: { ...release, id: 'r', tag: '1.0', title: '', changelog: 'x'.repeat(1500) },
      ...links,
    }));
    expect(job).toEqual({
      key: 'mod_release:r',
      event: 'mod_release',
      variables: {
        project_title: 'tiny',
        project_slug: 'tiny',
        owner: 'unknown',
        tag: '1.0',
        release_title: '1.0',
        branch: 'main',
        format: 'tmod',
        format_upper: 'TMOD',
        changelog: 'x'.repeat(1000),
        ...links,
      },
    });
  });

  it('formats the counts of a game update with separators', () => {
    const counts = { branch: 'live-us', ordinal: 12, version_tag: 'T', files_added: 1_234_567, files_modified: 999, files_removed: 0 };
    expect(jobOf('game_update', ({ version }) => ({ version: { ...version, ...counts } }))).toEqual({
      key: 'game_update:live-us:12',
      event: 'game_update',
      variables: { version_tag: 'T', ordinal: 12, branch: 'live-us', files_added: '1,234,567', files_modified: '999', files_removed: '0' },
    });
  });

  it('creates one luxion event at the detection and one per window', () => {
    const windows = [1_784_685_600, 1_784_782_800].map((at, index) => ({ starts_at: at, ends_at: at + 10_800, state: `Day ${index + 1}` }));
    const run = { active: true, starts_at: 1_784_646_360, ends_at: 1_785_279_600 };
    const closed = { ...run, merchant_open: false, current_window: null, next_window: windows[0] };
    const open = { ...run, merchant_open: true, current_window: windows[0], next_window: windows[1] };
    const variables = {
      state: 'Day 1',
      starts_at: 1_784_646_360,
      ends_at: 1_785_279_600,
      opens_at: 1_784_685_600,
      closes_at: 1_784_696_400,
    };
    expect(jobOf('luxion', () => closed)).toEqual({
      key: 'luxion:1784646360:1784685600:closed',
      event: 'luxion',
      variables: { ...variables, status: 'closed' },
    });
    expect(jobOf('luxion', () => open)).toEqual({
      key: 'luxion:1784646360:1784685600:open',
      event: 'luxion',
      variables: { ...variables, status: 'open' },
    });
  });

  it('returns null for a body that does not match its schema', () => {
    expect(WEBHOOK_EVENTS.chatJobOf({ id: 7, type: 'challenge', data: 'x', body: null, at: 150 })).toBeNull();
  });
});
