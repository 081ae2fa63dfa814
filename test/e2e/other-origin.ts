import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { ALLOWED_REQUEST_HEADERS } from '../../src/platform/http/replies/request-headers.data.ts';
import type { World } from './world.ts';

const READ = '/v1/rotations/server-time?at=1773156600';
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT';
/** Values that a read accepts; every other header gets a word. The value of `Accept` needs a permission because of its quotes. */
const VALUES: Readonly<Record<string, string>> = {
  Accept: 'application/json; profile="(a)"',
  'Accept-Language': 'en; x="1"',
  'Content-Type': 'application/json',
  'If-Match': '*',
  'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'If-None-Match': '"other"',
  'If-Range': '"other"',
  'If-Unmodified-Since': FUTURE,
  Range: 'bytes=0-9',
};
const IMAGES = ['/v1/misc/badge/game-status.svg', '/og/front.png', '/favicon.ico', '/ui/logo.svg'];
const FILES = ['/openapi.json', '/docs/assets/game_data_api.py', '/live/live.js'];
const PRIVATE = ['/auth/me', '/portal/login'];
const EXPOSED = ['ETag', 'X-Request-ID', 'X-RateLimit-Limit', 'Token-Ignored'];

/** A page of another site that isolates itself (COEP) uses the public API as its documentation says, and cannot read the portal. */
export async function useFromOtherOrigin({ url, visitor }: World): Promise<void> {
  const site = createServer((_, response) => {
    const isolation = { 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Opener-Policy': 'same-origin' };
    response
      .writeHead(200, { ...isolation, 'Content-Type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>Other site</title>${imagesOf(url)}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { context, page } = await visitor();
  try {
    // The service is at 127.0.0.1, which is another site than localhost.
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    const headers = [...new Set([...ALLOWED_REQUEST_HEADERS, ...(await documentedHeaders(url))])];
    expect(await refusedHeaders(page, url, headers)).toEqual([]);
    expect(await unreadableHeaders(page, url)).toEqual([]);
    expect(await brokenImages(page)).toEqual([]);
    expect(await readable(page, url, [...FILES, ...PRIVATE])).toEqual(FILES);
    expect(await pingAssistantServer(page, url)).toBe(200);
    expect(await firstMessage(page, url)).toMatch(/^\d+$/);
  } finally {
    await context.close();
    site.close();
    site.closeAllConnections();
  }
}

/** Request headers that the OpenAPI document names. */
async function documentedHeaders(url: string): Promise<string[]> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters?: { in?: string; name?: string }[] }>>;
    components: { parameters: Record<string, { in: string; name: string }> };
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const parameters = [...Object.values(components.parameters), ...operations.flatMap((operation) => operation.parameters ?? [])];
  return parameters.flatMap(({ in: place, name }) => (place === 'header' && name ? [name] : []));
}

/** Headers with which a read fails; a refused preflight is a network error to the page. */
function refusedHeaders(page: Page, url: string, names: readonly string[]): Promise<string[]> {
  const sent = names.map((name): [string, string] => [name, VALUES[name] ?? 'word']);
  return page.evaluate(
    async ([target, headers]) => {
      const outcomes = await Promise.all(
        headers.map(async ([name, value]) => {
          const outcome = await fetch(target, { headers: { [name]: value } }).then(({ status }) => status, String);
          return typeof outcome === 'number' && outcome < 300 ? [] : [`${name}: ${outcome}`];
        }),
      );
      return outcomes.flat();
    },
    [url + READ, sent] as const,
  );
}

function unreadableHeaders(page: Page, url: string): Promise<string[]> {
  return page.evaluate(
    async ([target, names]) => {
      const { headers } = await fetch(target, { headers: { Authorization: 'Basic word' } });
      return names.filter((name) => headers.get(name) === null);
    },
    [url + READ, EXPOSED] as const,
  );
}

/** Images with and without `crossorigin`. The test runner itself aborts requests whose URL ends with /favicon.ico. */
const imagesOf = (url: string) =>
  IMAGES.map((path) => `<img src="${url}${path}?plain"><img src="${url}${path}?cors" crossorigin="anonymous">`).join('');

function brokenImages(page: Page): Promise<string[]> {
  return page.locator('img').evaluateAll((images) => images.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src));
}

function readable(page: Page, url: string, paths: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ([base, all]) => {
      const readings = await Promise.all(
        all.map((path) =>
          fetch(base + path).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      return all.filter((_, index) => readings[index]);
    },
    [url, paths] as const,
  );
}

function pingAssistantServer(page: Page, url: string): Promise<number> {
  return page.evaluate(async (target) => {
    const headers = { 'Content-Type': 'application/json', 'mcp-protocol-version': '2025-11-25', 'Last-Event-ID': '1' };
    return (await fetch(target, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })).status;
  }, `${url}/mcp`);
}

/** Id of the first message of the event stream. */
function firstMessage(page: Page, url: string): Promise<string> {
  return page.evaluate(
    (target) =>
      new Promise<string>((resolve) => {
        const stream = new EventSource(target);
        const settle = (result: string) => {
          stream.close();
          resolve(result);
        };
        stream.addEventListener('chaos', (message) => settle((message as MessageEvent).lastEventId));
        stream.onerror = () => settle(`error, readyState ${stream.readyState}`);
      }),
    `${url}/v1/events/stream?types=chaos&lastEventId=0`,
  );
}
