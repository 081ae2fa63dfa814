import { parseXml } from '@rgrove/parse-xml';
import { describe, expect, it } from 'vitest';
import { type BadgeTone, badgeSvg, cardSvg, IMAGE_THEMES } from '../../../src/platform/kit/images/embedded-images.domain.ts';

const TONES: BadgeTone[] = ['good', 'warn', 'bad', 'info', 'none'];

/** Relative luminance of a color (WCAG 2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

describe('badgeSvg', () => {
  it('renders label and value with an accessible name', () => {
    const svg = badgeSvg({ label: 'Game servers', value: 'online', tone: 'good' });
    expect(svg).toContain('role="img" aria-label="Game servers: online"><title>Game servers: online</title>');
    expect(() => parseXml(svg)).not.toThrow();
  });

  it('escapes the texts and drops characters that XML does not allow', () => {
    const hostile = `"><script>alert(1)</script>'&\u0000\u202e\ud800`;
    const svg = badgeSvg({ label: hostile, value: hostile, tone: 'bad' });
    for (const dropped of ['<script', '\u0000', '\u202e']) expect(svg).not.toContain(dropped);
    expect(() => parseXml(svg)).not.toThrow();
  });

  it('bounds the width for texts of any length', () => {
    expect(badgeSvg({ label: '&'.repeat(1e6), value: '龍'.repeat(1e6), tone: 'none' }).length).toBeLessThan(3000);
  });

  it.each(TONES)('has a contrast ratio of at least 4.5 for the tone %s in both themes', (tone) => {
    for (const theme of IMAGE_THEMES) {
      const svg = badgeSvg({ label: 'a', value: 'b', tone }, theme);
      const backs = [...svg.matchAll(/<rect x="[^>]+fill="(#\w{6})"/g)].map(([, color = '']) => color);
      const inks = [...svg.matchAll(/<text [^>]*fill="(#\w{6})"/g)].map(([, color = '']) => color);
      expect([backs.length, inks.length]).toEqual([2, 2]);
      for (const [index, back] of backs.entries()) expect(contrast(back, inks[index] ?? '')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('cardSvg', () => {
  const card = {
    kind: 'Leaderboard',
    title: 'TROVE MASTERY POINTS',
    rows: [
      { label: '1. Nimbus', value: '1,204,455' },
      { label: '2. 龍の名前', value: '1,190,021.5' },
    ],
    note: 'As of today',
  };

  it('has an accessible name, and the rows as its description', () => {
    const svg = cardSvg(card, 'light');
    expect(svg).toContain('role="img" aria-label="Leaderboard: TROVE MASTERY POINTS"><title>Leaderboard: TROVE MASTERY POINTS</title>');
    expect(svg).toContain('<desc>1. Nimbus: 1,204,455; 2. 龍の名前: 1,190,021.5</desc>');
    expect(() => parseXml(svg)).not.toThrow();
  });

  it('escapes hostile texts, and keeps every text inside the image', () => {
    const hostile = `"><script>alert(1)</script>'&\u0000\u202e\ud800${'龍W'.repeat(5000)}`;
    const row = { label: hostile, value: hostile };
    const svg = cardSvg({ kind: hostile, title: hostile, rows: Array.from({ length: 50 }, () => row), note: hostile }, 'dark');
    for (const dropped of ['<script', '\u0000', '\u202e']) expect(svg).not.toContain(dropped);
    expect(() => parseXml(svg)).not.toThrow();
    expect(svg.length).toBeLessThan(12_000);
    const texts = [...svg.matchAll(/<text x="(\d+)"[^>]*textLength="(\d+)"/g)].map(([, x, length]) => [Number(x), Number(length)]);
    expect(texts).toHaveLength(3 + 2 * 5);
    for (const [x = 0, length = 0] of texts) expect([x >= 18, x + length <= 420 - 17]).toEqual([true, true]);
  });

  it.each(IMAGE_THEMES)('has a contrast ratio of at least 4.5 in the theme %s', (theme) => {
    const svg = cardSvg(card, theme);
    const [, back = ''] = /<rect [^>]*fill="(#\w{6})"/.exec(svg) ?? [];
    for (const [, ink = ''] of svg.matchAll(/<text [^>]*fill="(#\w{6})"/g)) expect(contrast(back, ink)).toBeGreaterThanOrEqual(4.5);
  });
});
