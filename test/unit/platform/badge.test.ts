import { parseXml } from '@rgrove/parse-xml';
import { describe, expect, it } from 'vitest';
import { type BadgeTone, badgeSvg } from '../../../src/platform/images/badge.domain.ts';

const TONES: BadgeTone[] = ['good', 'warn', 'bad', 'info', 'none'];

/** Relative luminance of a color (WCAG 2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
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

  it.each(TONES)('has a contrast ratio of at least 4.5 for the tone %s', (tone) => {
    const svg = badgeSvg({ label: 'a', value: 'b', tone });
    const colors = [...svg.matchAll(/<rect x="[^>]+fill="(#\w{6})"/g)].map(([, color = '']) => color);
    expect(colors).toHaveLength(2);
    for (const color of colors) expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});
