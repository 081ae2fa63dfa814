import { type Colour, glass, glow, solid, toned, VoxelCanvas } from './voxel-canvas.ts';

const WOOD: Colour = [126, 84, 48];
const STEEL: Colour = [150, 158, 170];
const GOLD: Colour = [236, 184, 58];
const PAPER: Colour = [236, 226, 200];

/** Objects and items, in a given colour. */
export const OBJECTS = {
  ingot(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (const [x, y, z] of [
      [-8, 0, -6],
      [-8, 0, 4],
      [-8, 6, -1],
    ] as const) {
      for (let layer = 0; layer < 5; layer += 1) {
        const inset = layer >> 1;
        const paint = solid(toned(colour, layer === 4 ? 1.08 : 0.9));
        canvas.box([x + inset, y + layer, z + inset], [x + 16 - inset, y + layer, z + 8 - inset], paint);
      }
    }
    return canvas;
  },

  chest(colour: Colour) {
    const canvas = new VoxelCanvas().box([-10, 0, -7], [10, 9, 7], solid(WOOD)).box([-10, 10, -7], [10, 14, 7], solid(toned(WOOD, 1.12)));
    for (const x of [-10, -4, 4, 10]) canvas.box([x, 0, -8], [x, 15, 8], solid(GOLD));
    for (const y of [0, 9, 14]) canvas.box([-11, y, -8], [11, y, 8], solid(toned(colour, 0.9)));
    return canvas.box([-2, 7, 8], [2, 11, 9], solid(GOLD)).box([0, 8, 10], [0, 9, 10], glow([255, 240, 150]));
  },

  lantern(colour: Colour) {
    const canvas = new VoxelCanvas()
      .box([-6, 0, -6], [6, 1, 6], solid(STEEL))
      .box([-6, 14, -6], [6, 15, 6], solid(STEEL))
      .box([-4, 16, -4], [4, 17, 4], solid(toned(STEEL, 0.8)))
      .box([-5, 2, -5], [5, 13, 5], glass(colour, 2))
      .box([-2, 3, -2], [2, 9, 2], glow([255, 214, 120]));
    for (const x of [-6, 6]) for (const z of [-6, 6]) canvas.box([x, 0, z], [x, 15, z], solid(toned(STEEL, 0.7)));
    return canvas;
  },

  sword(colour: Colour) {
    const canvas = new VoxelCanvas().box([-1, -14, -1], [1, -8, 1], solid(WOOD)).box([-6, -8, -1], [6, -6, 1], solid(GOLD));
    for (let y = -5; y <= 16; y += 1) canvas.box([y > 14 ? 0 : -2, y, 0], [y > 14 ? 0 : 2, y, 0], solid(toned(STEEL, 1.1)));
    return canvas
      .box([0, -5, 1], [0, 12, 1], glow(colour))
      .box([0, -5, -1], [0, 12, -1], glow(colour))
      .ball([0, -15, 0], [2, 2, 2], solid(colour));
  },

  hat(colour: Colour) {
    return new VoxelCanvas()
      .within([0, 0, 0], [11, 1, 11], (distance) => (distance <= 1 ? solid(toned(colour, 0.8)) : null))
      .box([-6, 1, -6], [6, 10, 6], solid(colour))
      .box([-7, 1, -7], [7, 3, 7], solid(GOLD))
      .box([-1, 1, 7], [1, 4, 8], glow([255, 240, 150]));
  },

  boat(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (let y = 0; y < 6; y += 1) {
      canvas.within([0, y, 0], [5 + y, 0.9, 13 + y], (distance) =>
        distance <= 1 && (y === 0 || distance > 0.72) ? solid(toned(WOOD, 0.9 + y / 30)) : null,
      );
    }
    canvas.box([0, 0, 0], [0, 26, 0], solid(WOOD));
    for (let y = 9; y <= 24; y += 1) canvas.box([-8 + (y >> 2), y, 1], [8 - (y >> 2), y, 1], solid(y % 5 < 2 ? PAPER : colour));
    return canvas;
  },
} as const;
