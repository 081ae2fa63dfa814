import { describe, expect, it } from 'vitest';
import { readableTime } from '../../../src/platform/kit/time/time-text.ts';
import { mailHtml } from '../../../src/platform/upstream/mail/mail-html.domain.ts';

/** The visible text of a page. */
const wordsOf = (html: string) =>
  html
    .replace(/^.*<body[^>]*>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .split(/\s+/)
    .filter(Boolean);

describe('mailHtml', () => {
  const text = 'A token "<b>bot</b>" & more.\n\nhttps://api.example/x#token=a&b\n\n      12  a@example.com\n       3  b@example.com\n';

  it('contains the same words as the plain text', () => {
    expect(wordsOf(mailHtml({ subject: 'S', text }))).toEqual(text.split(/\s+/).filter(Boolean));
  });

  it('escapes user input and turns URLs into links', () => {
    const html = mailHtml({ subject: '<i>', text });
    expect(html).not.toMatch(/<b>|<i>/);
    expect(html).toContain('<a href="https://api.example/x#token=a&amp;b"');
    expect(html).toMatch(/<pre [^>]+> {6}12 {2}a@example\.com|<pre [^>]+>12 {2}a@example\.com/);
  });
});

describe('readableTime', () => {
  it('writes day, month, year and minute in UTC', () => {
    expect(readableTime(1_780_930_452)).toBe('8 June 2026, 14:54 UTC');
  });
});
