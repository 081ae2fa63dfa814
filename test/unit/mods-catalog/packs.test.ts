import { describe, expect, it } from 'vitest';
import { firstVariant, packFilename, variantOf } from '../../../src/areas/mods-catalog/packs/packs.domain.ts';

describe('packFilename', () => {
  it.each([
    ['My: Pack.', 'lite', 'zip', 'My Pack-lite.zip'],
    ['...', 'default', 'tpack', 'modpack.tpack'],
    ['My Pack', 'default', 'zip', 'My Pack.zip'],
    ['a\\b/c\u0007"?', 'default', 'tpack', 'abc.tpack'],
    ['x'.repeat(130), 'default', 'tpack', `${'x'.repeat(120)}.tpack`],
  ] as const)('names %s, variant %s, as %s', (title, variant, format, expected) => {
    expect(packFilename(title, variant, format)).toBe(expected);
  });
});

describe('variantOf', () => {
  const [main, lite] = ['default', 'lite'].map((name) => ({ name, label: '', entries: [] })) as [never, never];

  it('returns the default variant for an unknown name', () => {
    const pack = { variants: [main, lite], defaultVariant: 'lite' };
    expect([variantOf(pack, 'default'), variantOf(pack, 'nope'), variantOf(pack, undefined)]).toEqual([main, lite, lite]);
  });

  it('prefers the variant named default', () => {
    expect(firstVariant([{ name: 'lite' }, { name: 'default' }])).toBe('default');
    expect(firstVariant([{ name: 'lite' }, { name: 'full' }])).toBe('lite');
  });
});
