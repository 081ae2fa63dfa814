import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_GEM_CODE, MAX_GEM_CODE_LENGTH, readGem, writeGem } from '../../../../src/areas/portal/tools/gems/gem-code.domain.ts';
import { gems } from '../../../support/gem-samples.ts';

describe('writeGem and readGem', () => {
  it('return the same gem, with all digits of its rolls', () => {
    fc.assert(
      fc.property(gems, (gem) => {
        const code = writeGem(gem);
        expect(code.length).toBeLessThanOrEqual(MAX_GEM_CODE_LENGTH);
        expect(readGem(code)).toEqual(gem);
      }),
    );
  });

  it('use only characters that a link keeps', () => {
    fc.assert(
      fc.property(gems, (gem) => {
        expect(writeGem(gem)).toMatch(/^[\w.,~-]+$/);
      }),
    );
  });

  it('accept any text without an error', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9L_.,~-]{0,60}$/)), (text) => void readGem(text)));
  });

  it.each([
    ['an unknown tier', EXAMPLE_GEM_CODE.replace(/^4/, '5')],
    ['a level above that of the tier', EXAMPLE_GEM_CODE.replace('--1-0', '--36-0')],
    ['a roll above 1', EXAMPLE_GEM_CODE.replace('0.5', '1.5')],
    ['two stats', EXAMPLE_GEM_CODE.replace('~5_1', '')],
    ['the same stat twice', EXAMPLE_GEM_CODE.replace('~5_1', '~3_1')],
    ['a stat without a container', EXAMPLE_GEM_CODE.replace('~5_1', '~5')],
    ['a value too many', EXAMPLE_GEM_CODE.replace('-0-0-', '-0-0--7')],
    ['a text that is too long', EXAMPLE_GEM_CODE.padEnd(MAX_GEM_CODE_LENGTH + 1, '0')],
  ])('refuse %s', (_, code) => {
    expect(code).not.toBe(EXAMPLE_GEM_CODE);
    expect(readGem(code)).toBeUndefined();
  });
});
