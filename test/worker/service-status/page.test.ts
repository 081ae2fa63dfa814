import { env } from 'cloudflare:workers';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { ServiceStatusBody } from '../../../src/areas/service-status/status.schemas.ts';
import { composeApp } from '../../../src/composition.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { call, ORIGIN } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { createFailingBinding } from './dead.ts';

const start = Math.floor(Date.now() / 60_000) * 60;

/** A name with markup, which the page must escape. */
const service = (bindings: Partial<Env> = {}) => composeApp({ ...env, APP_NAME: 'A <b>"&\'</b> API', ...bindings });
const fetchNew = () => appFetch(createApp(service()));

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await service().ports.checkService(start - 120);
  await service({ CACHE: createFailingBinding<KVNamespace>('throws') }).ports.checkService(start - 60);
  await service({ ARCHIVE: createFailingBinding<R2Bucket>('throws') }).ports.checkService(start);
});

describe('GET /v1/status', () => {
  it('returns the documented body without a token and without counting against a rate limit', async () => {
    const { status, text, headers } = await call('/v1/status', { now: start + 5, authorization: 'Bearer nonsense' }, fetchNew());
    expect([status, headers.get('X-RateLimit-Limit')]).toEqual([200, null]);
    const body = ServiceStatusBody.strict().parse(JSON.parse(text));
    expect(body).toMatchObject({ status: 'red', checked_at: start, age_seconds: 5, read_from: 'object' });
    expect(body.parts).toHaveLength(9);
  });

  it('keeps its ETag while only the age of the snapshot changes', async () => {
    const fetch = fetchNew();
    const first = await call('/v1/status', { now: start + 5 }, fetch);
    const etag = first.headers.get('ETag') ?? '';
    expect((await call('/v1/status', { now: start + 15, headers: { 'If-None-Match': etag } }, fetch)).status).toBe(304);
  });
});

describe('GET /status', () => {
  it('renders bars, plots, tables and incidents without inline scripts and styles', async () => {
    const { status, text, headers } = await call('/status', { now: start + 5 }, fetchNew());
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe-inline');
    expect(withoutSiteScripts(text)).not.toMatch(/<script|style=|<style| on\w+=/);
    expect(text).not.toContain('<b>');
    expect(text.match(/<rect/g)).toHaveLength(9 * 90);
    expect(text.match(/<svg [^>]*data-points=/g)).toHaveLength(5);
    expect(text).toMatch(/data-points="[^"]*\d ms/);
    expect(text.match(/<tr><th scope="row">\d{4}-\d\d-\d\d/g)).toHaveLength(90);
    expect(text).toContain(`id="incident-files-${start}"`);
  });

  it('shows in the bar of today the state of the row, or a worse one of earlier today', async () => {
    const { text } = await call('/status', { now: start + 5 }, fetchNew());
    const parts = [...text.matchAll(/<li data-plot[\s\S]*?<\/li>/g)].map(([part]) => ({
      row: /<span class="badge (\w+)"/.exec(part)?.[1] ?? '',
      bar: [...part.matchAll(/<rect class="(\w+)"/g)].at(-1)?.[1] ?? '',
    }));
    expect(parts).toHaveLength(9);
    const ranks = ['none', 'green', 'degraded', 'red'];
    expect(parts.filter(({ row, bar }) => ranks.indexOf(bar) < ranks.indexOf(row))).toEqual([]);
    expect(parts.map(({ row }) => row)).toContain('red');
  });

  it('links a style sheet that exists', async () => {
    const { text } = await call('/status', { now: start + 5 }, fetchNew());
    expect(text).toContain('href="/ui/status.css"');
    const { status, headers, body } = await env.ASSETS.fetch(`${ORIGIN}/ui/status.css`);
    await body?.cancel();
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8']);
  });
});

describe('GET /status.atom', () => {
  it('returns a valid feed with an entry for each incident', async () => {
    const { status, text, headers } = await call('/status.atom', { now: start + 5 }, fetchNew());
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const { root } = parseXml(text);
    const childrenOf = (element: XmlElement | null, name: string) =>
      (element?.children ?? []).filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
    expect([root?.name, root?.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    for (const element of [root, ...childrenOf(root, 'entry')]) {
      for (const name of ['id', 'title', 'updated']) expect(childrenOf(element, name)).toHaveLength(1);
      expect(Number.isNaN(Date.parse(childrenOf(element, 'updated')[0]?.text ?? ''))).toBe(false);
    }
    expect(childrenOf(root, 'author').map((author) => childrenOf(author, 'name')[0]?.text)).toEqual(['A <b>"&\'</b> API']);
    const entries = childrenOf(root, 'entry');
    const ids = entries.map((entry) => childrenOf(entry, 'id')[0]?.text);
    expect(new Set(ids).size).toBe(ids.length);
    const titles = entries.map((entry) => childrenOf(entry, 'title')[0]?.text);
    expect(titles).toContain('File storage (R2): red');
    expect(titles).toContain('Cache (KV): red, resolved');
  });
});
