import { describe, expect, it } from 'vitest';
import { parseUserAgent } from '../../../src/platform/http/pipeline/user-agent.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const CASES: [string, string | null, string | null][] = [
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/139.0.0.0 Safari/537.36`, 'Windows 10/11', 'Chrome 139'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/139.0.0.0 Safari/537.36 Edg/139.0.3405.86`, 'Windows 10/11', 'Edge 139'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`, 'Windows 10/11', 'Opera 122'],
  [`${MOZILLA} (Windows NT 6.1; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0`, 'Windows', 'Firefox 115'],
  [`${MOZILLA} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, 'Linux', 'Firefox 128'],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`, 'ChromeOS', 'Chrome 138'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'macOS',
    'Safari 18',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
    'iOS',
    'Safari 18',
  ],
  [
    `${MOZILLA} (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.156 Mobile/15E148 Safari/604.1`,
    'iOS',
    'Chrome 138',
  ],
  [`${MOZILLA} (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`, 'Android 14', 'Chrome 138'],
  [`${MOZILLA} (Linux; Android 8.1.0; K) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`, 'Android 8.1.0', 'Edge 138'],
  ['curl/8.5.0', null, 'curl 8'],
  ['python-requests/2.32.3', null, 'python-requests 2'],
  ['node', null, null],
  ['', null, null],
  ['   ', null, null],
];

describe('parseUserAgent', () => {
  it.each(CASES)('classifies %s', (text, os, client) => {
    expect(parseUserAgent(text, '')).toEqual({ os, client });
  });

  it('accepts a missing User-Agent', () => {
    expect(parseUserAgent(null, '')).toEqual({ os: null, client: null });
  });

  it('recognizes the app by its product token on any platform', () => {
    const text = `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/139.0.0.0 Safari/537.36 OurApp/2.10.1`;
    expect(parseUserAgent(text, 'OurApp')).toEqual({ os: 'Windows 10/11', client: 'OurApp 2' });
    expect(parseUserAgent('OurApp/2.10.1', 'OurApp')).toEqual({ os: null, client: 'OurApp 2' });
    expect(parseUserAgent('OurApp/nightly', 'OurApp')).toEqual({ os: null, client: 'OurApp' });
    expect(parseUserAgent(text, 'Other').client).toBe('Chrome 139');
  });

  it('classifies a hostile User-Agent in bounded time', () => {
    const started = performance.now();
    for (const text of ['a/'.repeat(50_000), '('.repeat(100_000), `Windows ${'NT '.repeat(50_000)}`, 'Version/'.repeat(50_000)]) {
      parseUserAgent(text, 'OurApp');
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
