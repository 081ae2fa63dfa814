import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, foldName } from '../../../src/platform/kit/values/fold.ts';
import { anyCodePoint } from '../../support/code-points.ts';

const text = fc.string({ unit: anyCodePoint });

describe('foldCase', () => {
  it('makes spellings equal that differ in case or composition, and keeps accents', () => {
    expect(foldCase('ÉMILE')).toBe('émile');
    expect(foldCase('Émile'.normalize('NFD'))).toBe('émile');
    expect(foldCase('Emile')).not.toBe('émile');
    expect(foldCase('ＡＢ ﬁ')).toBe('ａｂ ﬁ');
  });

  it('is its own result, and the same for each composition', () => {
    fc.assert(
      fc.property(text, (value) => {
        const folded = foldCase(value);
        expect(foldCase(folded)).toBe(folded);
        expect(foldCase(value.normalize('NFD'))).toBe(folded);
        expect(folded.normalize('NFC')).toBe(folded);
      }),
      { examples: [['İ̧'], ['ΟΔΟΣ'], ['K'], ['Å'], ['J̌']] },
    );
  });
});

describe('foldName', () => {
  it('removes accents, apostrophes and punctuation, and is its own result', () => {
    expect(foldName("  Café-NOIR: Dragon's (İzmir)  ")).toBe('cafe noir dragons izmir');
    fc.assert(
      fc.property(text, (value) => {
        expect(foldName(foldName(value))).toBe(foldName(value));
      }),
    );
  });
});
