import { describe, expect, it } from 'vitest';
import type { FeedbackCategory } from '../../../src/areas/misc/feedback.domain.ts';
import {
  attachmentName,
  FEEDBACK_RETRIES,
  feedbackMessage,
  parseFields,
  sanitizeFilename,
} from '../../../src/areas/misc/feedback.domain.ts';
import { nextTryAt } from '../../../src/platform/durable/retry-policy.domain.ts';
import { imageTypeOf } from '../../../src/platform/http/bodies/image-type.ts';
import { feedbackEntry } from '../../support/feedback.ts';

const read = (fields: Record<string, string>) => parseFields(new Map(Object.entries(fields)));
const NOW = 1_773_156_600;

describe('parseFields', () => {
  it('applies defaults', () => {
    expect(read({ message: 'hello' })).toEqual({
      ok: true,
      fields: { message: 'hello', contact: null, category: 'general', appVersion: null },
    });
    expect(read({ message: ' hello ', contact: ' me ', category: 'bug', app_version: '1.2', other: 'x' })).toEqual({
      ok: true,
      fields: { message: 'hello', contact: 'me', category: 'bug', appVersion: '1.2' },
    });
    expect(read({ message: 'hello', contact: '', category: '', app_version: ' ' })).toMatchObject({
      ok: true,
      fields: { category: 'general' },
    });
  });

  it.each([
    [{}, { field: 'message', fault: 'missing', limit: 5 }],
    [{ message: '' }, { field: 'message', fault: 'too_short', limit: 5 }],
    [{ message: ' four ' }, { field: 'message', fault: 'too_short', limit: 5 }],
    [{ message: 'x'.repeat(2001) }, { field: 'message', fault: 'too_long', limit: 2000 }],
    [
      { message: 'hello', contact: 'x'.repeat(201) },
      { field: 'contact', fault: 'too_long', limit: 200 },
    ],
    [
      { message: 'hello', app_version: 'x'.repeat(65) },
      { field: 'app_version', fault: 'too_long', limit: 64 },
    ],
    [
      { message: 'hello', category: 'Bug' },
      { field: 'category', value: 'Bug' },
    ],
  ] as [Record<string, string>, object][])('rejects %o', (fields, fault) => {
    expect(read(fields)).toEqual({ ok: false, faults: [fault] });
  });

  it('accepts the maximum length in characters', () => {
    expect(read({ message: '😀'.repeat(2000), contact: 'ä'.repeat(200), app_version: 'x'.repeat(64) }).ok).toBe(true);
    expect(read({ message: '😀'.repeat(4) }).ok).toBe(false);
  });

  it('reports all invalid fields', () => {
    expect(read({ message: 'x', contact: 'x'.repeat(201), category: 'x' })).toMatchObject({
      faults: [{ field: 'message' }, { field: 'contact' }, { field: 'category' }],
    });
  });
});

describe('sanitizeFilename', () => {
  it.each([
    ['shot.png', 'shot.png'],
    ['C:\\Users\\me\\my shot (1).png', 'my_shot__1_.png'],
    ['../../etc/passwd', 'passwd'],
    ['a/b\\c.png', 'c.png'],
    ['ünï😀.png', '_n__.png'],
    ['', 'image'],
    ['folder/', 'image'],
    ['x"\r\nContent-Type: evil', 'x___Content-Type__evil'],
    ['x'.repeat(100), 'x'.repeat(80)],
  ])('turns %j into %j', (raw, name) => {
    expect(sanitizeFilename(raw)).toBe(name);
  });
});

describe('imageTypeOf', () => {
  const bytes = (...values: (number | string)[]) =>
    Uint8Array.from(
      values.flatMap((value) => (typeof value === 'string' ? [...value].map((character) => character.charCodeAt(0)) : [value])),
    );

  it('detects the type by the first bytes', () => {
    expect(imageTypeOf(bytes(0x89, 'PNG\r\n', 0x1a, '\n', 'rest'))).toBe('image/png');
    expect(imageTypeOf(bytes(0xff, 0xd8, 0xff, 0xe0))).toBe('image/jpeg');
    expect(imageTypeOf(bytes('GIF87a'))).toBe('image/gif');
    expect(imageTypeOf(bytes('GIF89a..'))).toBe('image/gif');
    expect(imageTypeOf(bytes('RIFF', 1, 2, 3, 4, 'WEBPVP8 '))).toBe('image/webp');
  });

  it.each([
    bytes(),
    bytes(0x89, 'PNG'),
    bytes(0x89, 'PNG\n', 0x1a, '\n'),
    bytes(0xff, 0xd8),
    bytes('GIF88a'),
    bytes('RIFF', 1, 2, 3, 4, 'WAVE'),
    bytes('RIFFWEBP'),
    bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    bytes('MZ'),
    bytes('%PDF-1.7'),
  ])('returns null for %o', (other) => {
    expect(imageTypeOf(other)).toBeNull();
  });
});

describe('feedbackMessage', () => {
  it('returns one embed with all known fields', () => {
    const message = feedbackMessage(feedbackEntry({ os: 'macOS', client: 'Safari 18', appVersion: '2.0', contact: 'me' }), 'https://group');
    expect(message).toEqual({
      embeds: [
        {
          title: 'New bug feedback',
          description: 'It broke.',
          color: 0xf85149,
          fields: [
            { name: 'OS', value: 'macOS', inline: true },
            { name: 'Client', value: 'Safari 18', inline: true },
            { name: 'App version', value: '2.0', inline: true },
            { name: 'Contact', value: 'me', inline: false },
          ],
          footer: { text: 'id an-id' },
          timestamp: '2026-03-10T15:30:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
    expect(feedbackMessage(feedbackEntry(), 'https://group').embeds[0]).toMatchObject({ fields: [] });
  });

  it.each([
    ['bug', 0xf85149],
    ['feature', 0xd29922],
    ['general', 0x58a6ff],
  ] as [FeedbackCategory, number][])('has the color of the category %s', (category, color) => {
    expect(feedbackMessage(feedbackEntry({ category }), '').embeds[0]).toMatchObject({ title: `New ${category} feedback`, color });
  });

  it('truncates texts to the limits of the chat service', () => {
    const description = (message: string) => feedbackMessage(feedbackEntry({ message }), '').embeds[0]?.description;
    expect(description('x'.repeat(1500))).toBe('x'.repeat(1500));
    expect(description('x'.repeat(1501))).toBe(`${'x'.repeat(1500)} …`);
    expect(description('😀'.repeat(1501))).toBe(`${'😀'.repeat(1500)} …`);
  });

  it('groups images by a shared URL', () => {
    const attachments = ['a.png', 'b.png', 'a.png'].map((filename) => ({ filename, contentType: 'image/png' as const, size: 1 }));
    const { embeds } = feedbackMessage(feedbackEntry({ attachments }), 'https://group');
    expect(embeds[0]).toMatchObject({ url: 'https://group', image: { url: 'attachment://0_a.png' } });
    expect(embeds.slice(1)).toEqual([
      { url: 'https://group', image: { url: 'attachment://1_b.png' } },
      { url: 'https://group', image: { url: 'attachment://2_a.png' } },
    ]);
    expect(attachmentName(2, { filename: 'a.png', contentType: 'image/png', size: 1 })).toBe('2_a.png');
  });
});

describe('FEEDBACK_RETRIES', () => {
  it('allows three attempts with increasing delays', () => {
    expect([1, 2, 3, 4].map((failures) => nextTryAt(FEEDBACK_RETRIES, failures, NOW))).toEqual([NOW + 60, NOW + 600, null, null]);
  });

  it('waits for Retry-After, at most an hour', () => {
    expect([5, 300, 86_400].map((seconds) => nextTryAt(FEEDBACK_RETRIES, 1, NOW, seconds))).toEqual([NOW + 60, NOW + 300, NOW + 3600]);
  });
});
