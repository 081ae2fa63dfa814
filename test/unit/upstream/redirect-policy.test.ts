import { describe, expect, it } from 'vitest';
import { headersAfterRedirect, isPrivateHost, redirectProblem } from '../../../src/platform/upstream/redirect-policy.ts';

/** As `URL` spells them: odd notations of an address are normal by then. */
const hostOf = (authority: string) => new URL(`http://${authority}/`).hostname;

describe('isPrivateHost', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[fc00::1]',
    '[fe80::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    'localhost',
    'LOCALHOST.',
    'api.localhost',
    'db.internal',
    'printer.local',
    'intranet',
  ])('returns true for %s', (host) => {
    expect(isPrivateHost(hostOf(host))).toBe(true);
  });

  it.each(['example.com', '8.8.8.8', '[2606:4700:4700::1111]', 'internal.example.com', 'localhost.example.com'])(
    'returns false for %s',
    (host) => {
      expect(isPrivateHost(hostOf(host))).toBe(false);
    },
  );
});

describe('redirectProblem and headersAfterRedirect', () => {
  const problem = (base: string, target: string) => redirectProblem(new URL(base), new URL(target, base));

  it.each([
    ['https://news.example/feed', '/feed/'],
    ['https://news.example/feed', 'https://cdn.example/feed'],
    ['http://news.example/feed', 'https://news.example/feed'],
    ['http://news.example/feed', 'http://news.example/feed/'],
    ['http://127.0.0.1:9000/feed', '/feed/'],
    ['http://127.0.0.1:9000/feed', 'http://127.0.0.1:9001/feed'],
    ['http://192.168.1.5/feed', 'https://news.example/feed'],
  ])('allows a redirect from %s to %s', (base, target) => {
    expect(problem(base, target)).toBeNull();
  });

  it.each([
    ['https://news.example/feed', 'http://news.example/feed', 'redirect from https to http'],
    ['http://news.example/feed', 'http://cdn.example/feed', 'redirect to another host without https'],
    ['https://news.example/feed', 'https://10.0.0.1/feed', 'redirect into a private network'],
    ['https://news.example/feed', 'https://[::ffff:169.254.169.254]/', 'redirect into a private network'],
    ['https://news.example/feed', 'https://localhost/feed', 'redirect into a private network'],
    ['http://127.0.0.1:9000/feed', 'https://10.0.0.1/feed', 'redirect into a private network'],
    ['https://news.example/feed', 'https://user:secret@cdn.example/', 'redirect to a URL with credentials'],
    ['https://news.example/feed', 'ftp://news.example/feed', 'redirect to a URL that is not http(s)'],
    ['https://news.example/feed', 'data:text/plain,hello', 'redirect to a URL that is not http(s)'],
  ])('refuses a redirect from %s to %s', (base, target, reason) => {
    expect(problem(base, target)).toBe(reason);
  });

  it('sends no credentials to another origin', () => {
    const headers = new Headers({
      Authorization: 'Bearer x',
      'Client-Id': 'id',
      Accept: 'text/html',
      'User-Agent': 'agent',
      Referer: 'https://a.example/',
    });
    const namesAt = (target: string) => [...headersAfterRedirect(new URL('https://a.example/1'), new URL(target), headers).keys()];
    expect(namesAt('https://a.example/2')).toHaveLength(5);
    expect(namesAt('https://b.example/1')).toEqual(['accept', 'user-agent']);
    expect(namesAt('https://a.example:8443/1')).toEqual(['accept', 'user-agent']);
  });
});
