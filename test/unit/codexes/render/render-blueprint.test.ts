import { describe, expect, it } from 'vitest';
import { BlueprintError } from '../../../../src/areas/codexes/render/blueprint.domain.ts';
import { decodeBlueprint } from '../../../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { glassAlpha } from '../../../../src/areas/codexes/render/materials.domain.ts';
import { inflateBlueprint, renderBlueprint } from '../../../../src/areas/codexes/render/render-blueprint.service.ts';
import { findVisibleFaces, SIDE_X, SIDE_Y, SIDE_Z } from '../../../../src/areas/codexes/render/visible-faces.domain.ts';
import { encodeListedBlueprint, encodePackedBlueprint, type Voxel } from '../../../support/codex/encode-blueprint.ts';
import { type ReadImage, readPng } from '../../../support/codex/read-png.ts';

const ORANGE = [255, 128, 0] as const;
const solid = (x: number, y: number, z: number, colour: Voxel['colour'] = ORANGE): Voxel => ({ x, y, z, type: 21, colour });
const glass = (x: number, y: number, z: number, surface = 3): Voxel => ({ x, y, z, type: 18, colour: [32, 64, 96], surface });
const draw = (voxels: readonly Voxel[], side = 128) => readPng(renderBlueprint(encodeListedBlueprint(voxels), side));

/** Centres of the sides of a single voxel in an image of 128 pixels. */
const MIDDLES = { x: [40, 84], y: [66, 32], z: [92, 84] } as const;

function sidesOf(voxel: Partial<Voxel>): number[][] {
  const image = draw([{ ...solid(0, 0, 0), ...voxel }]);
  return [image.at(...MIDDLES.x), image.at(...MIDDLES.y), image.at(...MIDDLES.z)];
}

/** Left, right, top and bottom of the pixels that are not nearly transparent. */
function cropOf({ width, height, at }: ReadImage): number[] {
  const [columns, rows]: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((at(x, y)[3] ?? 0) <= 8) continue;
      columns.push(x);
      rows.push(y);
    }
  }
  return [Math.min(...columns), Math.max(...columns), Math.min(...rows), Math.max(...rows)];
}

describe('findVisibleFaces', () => {
  /** Sides by position after mirroring along x. */
  const facesOf = (voxels: readonly Voxel[]) => {
    const decoded = decodeBlueprint(encodeListedBlueprint(voxels), inflateBlueprint);
    const { sides, order } = findVisibleFaces(decoded);
    const faces = Object.fromEntries(
      [...order].map((index) => [`${decoded.x[index]}${decoded.y[index]}${decoded.z[index]}`, sides[index]]),
    );
    return { faces, order: [...order] };
  };
  const ALL = SIDE_X | SIDE_Y | SIDE_Z;

  it('returns all three sides of a single voxel', () => expect(facesOf([solid(0, 0, 0)]).faces).toEqual({ '000': ALL }));

  it('omits the side of a solid voxel next to a solid neighbour', () => {
    expect(facesOf([solid(0, 0, 0), solid(0, 1, 0)]).faces).toEqual({ '000': SIDE_X | SIDE_Z, '010': ALL });
    expect(facesOf([solid(0, 0, 0), solid(0, 0, 1)]).faces).toEqual({ '000': SIDE_X | SIDE_Y, '001': ALL });
    expect(facesOf([solid(0, 0, 0), solid(1, 0, 0)]).faces).toEqual({ '000': SIDE_Y | SIDE_Z, '100': ALL });
  });

  it('returns the side of a solid voxel behind glass', () =>
    expect(facesOf([solid(0, 0, 0), glass(0, 1, 0)]).faces).toEqual({ '000': ALL, '010': ALL }));

  it.each([glass(0, 1, 0), solid(0, 1, 0)])('omits a glass side next to any neighbour', (neighbour) =>
    expect(facesOf([glass(0, 0, 0), neighbour]).faces).toEqual({ '000': SIDE_X | SIDE_Z, '010': ALL }),
  );

  it('omits voxels without a visible side', () => {
    const { faces } = facesOf([solid(0, 0, 0), solid(1, 0, 0), solid(-1, 0, 0), solid(0, 1, 0), solid(0, 0, 1)]);
    expect(faces['100']).toBeUndefined();
    expect(Object.keys(faces)).toHaveLength(4);
  });

  it('uses the last of two voxels at one position', () => {
    const { order } = facesOf([solid(0, 0, 0), solid(0, 0, 0, [1, 2, 3])]);
    expect(order).toEqual([1]);
  });

  it('lists the nearest voxels first', () =>
    expect(facesOf([solid(0, 0, 0), solid(0, 2, 2), solid(0, 0, 2), solid(0, 2, 3)]).order).toEqual([3, 1, 2, 0]));
});

describe('renderBlueprint', () => {
  it.each([32, 255, 256, 512])('renders a square of %i pixels', (side) => {
    const { width, height } = draw([solid(0, 0, 0)], side);
    expect([width, height]).toEqual([side, side]);
  });

  it('shades the three sides of a solid voxel', () =>
    expect(sidesOf({ colour: ORANGE })).toEqual([
      [237, 119, 0, 255],
      [255, 142, 0, 255],
      [128, 64, 0, 255],
    ]));

  it.each([21, 24, 7, 4660])('renders type %i as a solid with any surface', (type) =>
    expect(sidesOf({ type, surface: 5 })).toEqual(sidesOf({})),
  );

  it('does not shade a glowing solid', () => expect(sidesOf({ type: 55 })).toEqual(Array(3).fill([...ORANGE, 255])));

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 200])('renders glass of surface %i with its alpha', (surface) => {
    const alpha = Math.round(255 * glassAlpha(surface));
    const shaded = [
      [30, 59, 89, alpha],
      [35, 71, 106, alpha],
      [16, 32, 48, alpha],
    ];
    const colour = [32, 64, 96] as const;
    expect(sidesOf({ type: 18, colour, surface })).toEqual(shaded);
    expect(sidesOf({ type: 54, colour, surface })).toEqual(shaded);
    expect(sidesOf({ type: 56, colour, surface })).toEqual(Array(3).fill([...colour, alpha]));
  });

  it('renders glass with the alpha of the game', () =>
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((surface) => Number(glassAlpha(surface).toFixed(3)))).toEqual([
      0.004, 0.035, 0.098, 0.193, 0.319, 0.476, 0.665, 0.886,
    ]));

  it.each<[number, number[]]>([
    [1, [150, 130, 100]],
    [2, [40, 170, 0]],
    [3, [120, 120, 120]],
    [4, [110, 78, 165]],
    [79, [185, 194, 197]],
    [100, [220, 222, 225]],
    [174, [232, 33, 70]],
    [9, [110, 110, 110]],
  ])('tints dark voxels of type %i', (type, [red = 0, green = 0, blue = 0]) => {
    const tinted = sidesOf({ colour: [red, green, blue] });
    expect(sidesOf({ type, colour: [24, 0, 24] })).toEqual(tinted);
    expect(sidesOf({ type, colour: [25, 0, 0] })).not.toEqual(tinted);
  });

  it.each([18, 21, 24, 54, 55, 56])('does not tint dark voxels of type %i', (type) => {
    const [, top = []] = sidesOf({ type, colour: [20, 20, 20], surface: 7 });
    expect(top.slice(0, 3).every((channel) => channel <= 22)).toBe(true);
  });

  it('blends glass over the voxels behind it', () => {
    const alpha = glassAlpha(5);
    const image = draw([solid(0, 0, 0), glass(0, 1, 0, 5)]);
    const mix = (over: number, under: number) => under + (over - under) * alpha;
    const holds = (colour: readonly number[]) =>
      Array.from({ length: 128 ** 2 }, (_, pixel) => image.at(pixel % 128, Math.floor(pixel / 128))).some((seen) =>
        seen.every((channel, index) => Math.abs(channel - (colour[index] ?? 0)) <= 1),
      );
    // The +Y side of the solid, or nothing, is behind the +Z side of the glass.
    expect(holds([mix(16, 255), mix(32, 142), mix(48, 0), 255])).toBe(true);
    expect(holds([16, 32, 48, 255 * alpha])).toBe(true);
  });

  it('renders the same image for every format version', () => {
    const voxels = [solid(0, 0, 0), glass(1, 0, 0), solid(2, 1, 0, [9, 200, 90]), { ...solid(0, 2, 3), type: 55 }, solid(-4, 0, 5)];
    const files = [encodeListedBlueprint(voxels, 3), encodeListedBlueprint(voxels, 4), encodePackedBlueprint(voxels)];
    const [first, ...others] = files.map((file) => Buffer.from(renderBlueprint(file, 64)).toString('hex'));
    expect(others).toEqual([first, first]);
  });

  it('points +X to the left, +Y up and +Z to the right', () => {
    const [red, green, blue] = [
      [237, 0, 0],
      [0, 255, 0],
      [0, 0, 128],
    ];
    // x is mirrored: the highest x of the file is 0.
    const image = draw([
      solid(0, 0, 0, [100, 100, 100]),
      ...[1, 2, 3, 4].flatMap((far) => [solid(-far, 0, 0, [255, 0, 0]), solid(0, far, 0, [0, 255, 0]), solid(0, 0, far, [0, 0, 255])]),
    ]);
    const placesOf = (colour: number[] | undefined) => {
      const places: { x: number; y: number }[] = [];
      for (let y = 0; y < 128; y += 1)
        for (let x = 0; x < 128; x += 1) if (image.at(x, y).slice(0, 3).join() === colour?.join()) places.push({ x, y });
      return {
        x: Math.round(places.reduce((sum, { x }) => sum + x, 0) / places.length),
        y: Math.round(places.reduce((sum, { y }) => sum + y, 0) / places.length),
      };
    };
    expect(placesOf(red).x).toBeLessThan(50);
    expect(placesOf(blue).x).toBeGreaterThan(70);
    expect(placesOf(green).y).toBeLessThan(placesOf(red).y);
  });

  it.each<[string, Voxel[]]>([
    ['a cube', [solid(0, 0, 0)]],
    ['a column', [0, 1, 2, 3, 4, 5, 6, 7].map((y) => solid(0, y, 0))],
    ['a beam', [0, 1, 2, 3, 4, 5, 6, 7].map((x) => solid(x, 0, 0))],
    ['a cube beside clear glass', [solid(0, 0, 0), ...[2, 3, 4, 5, 6].map((x) => glass(x, 9, 0, 0))]],
  ])('leaves a margin of 6 percent around %s', (_, voxels) => {
    const [left = 0, right = 0, top = 0, bottom = 0] = cropOf(draw(voxels, 200));
    const [width, height] = [right - left + 1, bottom - top + 1];
    expect(Math.max(width, height)).toBeGreaterThanOrEqual(175);
    expect(Math.max(width, height)).toBeLessThanOrEqual(177);
    expect(Math.abs(left - (199 - right))).toBeLessThanOrEqual(1);
    expect(Math.abs(top - (199 - bottom))).toBeLessThanOrEqual(1);
  });

  it('renders adjacent sides without a gap', () => {
    const wall = Array.from({ length: 900 }, (_, index) => solid(0, Math.floor(index / 30), index % 30, [200, 200, 200]));
    const image = draw(wall, 96);
    for (let y = 0; y < 96; y += 1) {
      const alphas = Array.from({ length: 96 }, (_, x) => image.at(x, y)[3] ?? 0);
      const inside = alphas.slice(alphas.indexOf(255), alphas.lastIndexOf(255) + 1);
      expect(inside.every((alpha) => alpha === 255)).toBe(true);
    }
  });

  it('renders clear glass if the model has no other voxels', () => expect(draw([glass(0, 0, 0, 0)]).at(...MIDDLES.y)[3]).toBe(1));

  it('rejects a model with too many overlapping voxels', () => {
    // Towards the camera.
    const stick = Array.from({ length: 5000 }, (_, far) =>
      glass(-Math.round(0.558 * far), Math.round(0.495 * far), Math.round(0.665 * far)),
    );
    expect(() => renderBlueprint(encodeListedBlueprint(stick), 512)).toThrow(BlueprintError);
  });
});
