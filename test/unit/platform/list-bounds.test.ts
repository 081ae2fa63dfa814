import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { boundedList, maxJsonBytes } from '../../../src/platform/http/replies/list-bounds.ts';
import { MAX_BATCH_BYTES } from '../../../src/platform/http/replies/response-size.ts';
import { cutText, hasHiddenCharacters, visibleText } from '../../../src/platform/kit/values/visible-text.ts';

describe('maxJsonBytes', () => {
  const Item = z.object({
    name: z.string().max(10),
    tags: z.array(z.string().max(4)).max(3),
    kind: z.enum(['tmod', 'zip']),
    count: z.number().int(),
    isNew: z.boolean().optional(),
    from: z.union([z.object({ slug: z.string().max(5) }), z.null()]),
    url: z.string().max(20).nullable(),
  });

  it('is at least the size of the largest value', () => {
    const largest = {
      name: '漢'.repeat(10),
      tags: ['漢漢漢漢', '漢漢漢漢', '漢漢漢漢'],
      kind: 'tmod',
      count: -Number.MAX_VALUE,
      isNew: false,
      from: { slug: '漢'.repeat(5) },
      url: '"'.repeat(20),
    };
    const bytes = Buffer.byteLength(JSON.stringify(largest));
    expect(maxJsonBytes(Item)).toBeGreaterThanOrEqual(bytes);
    expect(maxJsonBytes(Item)).toBeLessThan(bytes + 30);
  });

  it('throws for a string, an array or a map without a maximum', () => {
    expect(() => maxJsonBytes(z.object({ text: z.string() }))).toThrow('an item.text of a list has no maximum length');
    expect(() => maxJsonBytes(z.array(z.boolean()))).toThrow('no maximum length');
    expect(() => maxJsonBytes(z.record(z.string(), z.boolean()))).toThrow('not bounded');
  });

  it('takes the size of a field that is bounded by other means', () => {
    expect(maxJsonBytes(z.object({ texts: z.record(z.string(), z.string()) }), { texts: 100 })).toBe(111);
  });
});

describe('boundedList', () => {
  it('throws when the largest items exceed a response', () => {
    const item = z.string().max(1000);
    const most = Math.floor(MAX_BATCH_BYTES / 3003);
    expect(boundedList(item, most).safeParse(Array(most + 1).fill('')).success).toBe(false);
    expect(() => boundedList(item, most + 1)).toThrow('more than 8388608');
  });
});

describe('visibleText', () => {
  it('removes control characters, direction overrides and lone surrogates', () => {
    expect(visibleText('a\u0000b\tc\nd\r\u007f\u0085\u202e\u2066\u2069e')).toBe('ab\tc\nd\re');
    expect(visibleText('\ud800x')).toBe('\ufffdx');
    expect([hasHiddenCharacters('\t\r\n é漢'), hasHiddenCharacters('\u202d'), hasHiddenCharacters('\u001b')]).toEqual([false, true, true]);
  });
});

describe('cutText', () => {
  it('does not split a surrogate pair', () => {
    expect([cutText('abc', 3), cutText('abc', 2), cutText('a😀b', 2), cutText('a😀b', 3)]).toEqual(['abc', 'ab', 'a', 'a😀']);
  });
});
