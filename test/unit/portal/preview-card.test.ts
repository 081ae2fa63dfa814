import { parseXml } from '@rgrove/parse-xml';
import { describe, expect, it } from 'vitest';
import { previewSvg } from '../../../src/areas/portal/previews/preview-card.domain.ts';
import { OPEN_SANS, plainText, textWidth, wrapText } from '../../../src/platform/kit/images/text-layout.domain.ts';

const CARD = {
  site: 'Game Data API',
  kind: 'Mods',
  title: 'Tiny Wings',
  fallbackTitle: 'ana/tiny-wings',
  text: 'Wings.',
  facts: ['by ana'],
};
const BOX = { font: OPEN_SANS, size: 32, width: 400, maxLines: 3 };

describe('plainText', () => {
  it('keeps characters that the fonts support and drops all others', () => {
    expect(plainText('  Ä “Ж”\n\u0000λ 龍🐉\u202e x  ')).toBe('Ä “Ж” λ x');
  });

  it('truncates a text of a million characters to 400', () => {
    expect(plainText('x'.repeat(1_000_000))).toHaveLength(400);
  });
});

describe('wrapText', () => {
  it('breaks lines at spaces', () => {
    const lines = wrapText('one two three four five six seven eight', BOX);
    expect(lines.join(' ')).toBe('one two three four five six seven eight');
    for (const line of lines) expect(textWidth(line, OPEN_SANS, 32)).toBeLessThanOrEqual(400);
  });

  it('breaks words longer than a line and ends truncated text with an ellipsis', () => {
    const lines = wrapText('m'.repeat(300), BOX);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/…$/);
    for (const line of lines) expect(textWidth(line, OPEN_SANS, 32)).toBeLessThanOrEqual(400);
  });

  it('returns no lines for an empty text', () => {
    expect(wrapText('', BOX)).toEqual([]);
  });
});

describe('previewSvg', () => {
  it('escapes markup in every text', () => {
    const hostile = `"><script>&'<image href="x"/>`;
    const svg = previewSvg({ ...CARD, site: hostile, kind: hostile, title: hostile, text: hostile, facts: [hostile, hostile] });
    expect(svg).not.toMatch(/<script|<image/);
    expect(() => parseXml(svg)).not.toThrow();
  });

  it('uses the fallback title when the fonts support none of the title', () => {
    expect(previewSvg({ ...CARD, title: '龍龍龍' })).toContain('>ana/tiny-wings<');
  });

  it('stays under 8000 characters for texts of any length', () => {
    const long = 'wide text '.repeat(10_000);
    const svg = previewSvg({ ...CARD, title: long, text: long, kind: long, facts: Array(1000).fill(long) });
    expect(svg.length).toBeLessThan(8000);
  });
});
