import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pageScript } from '../../support/page-scripts.ts';

const page = {
  getElementById: () => null,
  addEventListener: () => {},
  querySelectorAll: () => [],
  createElement: () => ({ append() {}, setAttribute() {} }),
};

beforeAll(() => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', {});
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe('fill', () => {
  function element() {
    const shown: unknown[] = [];
    return { shown, setAttribute() {}, removeAttribute() {}, replaceChildren: (...content: unknown[]) => shown.push(content.join()) };
  }

  it('drops the response of an earlier load that arrives after a later one', async () => {
    const { fill } = await pageScript('ui/dom.js');
    const target = element();
    const slow = Promise.withResolvers<string>();
    const wasNewest: boolean[] = [];
    const first = fill(target, async (isNewest: () => boolean) => {
      const content = await slow.promise;
      wasNewest.push(isNewest());
      return content;
    });
    await fill(target, async () => 'second');
    slow.resolve('first');
    await first;
    expect([target.shown, wasNewest]).toEqual([['second'], [false]]);
  });

  it('drops the error of an earlier load', async () => {
    const { fill } = await pageScript('ui/dom.js');
    const target = element();
    const slow = Promise.withResolvers<string>();
    const first = fill(target, () => slow.promise);
    await fill(target, async () => 'second');
    slow.reject(new Error('late'));
    await first;
    expect(target.shown).toEqual(['second']);
  });
});

describe('call', () => {
  it('renews the session once for concurrent requests', async () => {
    const { get } = await pageScript('ui/api.js');
    const paths: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      paths.push(path);
      return Response.json(path === '/auth/refresh' ? { access_token: 'a', expires_in: 900 } : {});
    });
    await Promise.all(['/auth/me', '/tokens', '/config', '/giveaways/mine'].map((path) => get(path)));
    expect(paths.filter((path) => path === '/auth/refresh')).toHaveLength(1);
    expect(paths).toHaveLength(5);
  });
});

describe('sizeText', () => {
  it.each([
    [5, '5 bytes'],
    [2048, '2 KiB'],
    [2500, '2.4 KiB'],
    [200 * 1024 * 1024, '200 MiB'],
    [10_000_000_000, '9.3 GiB'],
  ])('shows %i as %s', async (bytes, text) => {
    const { sizeText } = await pageScript('ui/dom.js');
    expect(sizeText(bytes)).toBe(text);
  });
});
