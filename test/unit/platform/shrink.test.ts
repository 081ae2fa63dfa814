import { describe, expect, it } from 'vitest';
import { shrink } from '../../../src/platform/kit/images/pixels.domain.ts';

const pixels = (width: number, rgba: readonly number[]) => ({ width, height: rgba.length / 4 / width, rgba: Uint8Array.from(rgba) });

describe('shrink', () => {
  it('averages premultiplied colors and returns straight alpha', () => {
    // Half-transparent orange next to transparent pixels: the color stays the same, the alpha is halved.
    const { width, height, rgba } = shrink(pixels(2, [128, 64, 0, 128, 0, 0, 0, 0]), 1);
    expect([width, height, [...rgba]]).toEqual([1, 1, [255, 128, 0, 64]]);
  });

  it('weights source pixels by their overlap with the target pixel', () => {
    const { rgba } = shrink(pixels(3, [0, 0, 0, 255, 90, 90, 90, 255, 240, 240, 240, 255]), 2);
    expect([...rgba]).toEqual([30, 30, 30, 255, 190, 190, 190, 255]);
  });

  it('keeps the proportions with a minimum height of 1', () => {
    expect(shrink(pixels(4, Array(4 * 6 * 4).fill(9)), 2)).toMatchObject({ width: 2, height: 3 });
    expect(shrink(pixels(300, Array(300 * 4).fill(9)), 100)).toMatchObject({ width: 100, height: 1 });
  });

  it('leaves a uniform image uniform', () => {
    const { rgba } = shrink(pixels(7, Array.from({ length: 7 * 5 }, () => [10, 200, 30, 255]).flat()), 3);
    expect([...rgba]).toEqual(Array.from({ length: rgba.length / 4 }, () => [10, 200, 30, 255]).flat());
  });
});
