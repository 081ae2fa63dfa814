import { type Colour, glass, glow, solid, toned, VoxelCanvas } from './voxel-canvas.ts';

const WOOD: Colour = [126, 84, 48];
const STEEL: Colour = [150, 158, 170];
const GOLD: Colour = [236, 184, 58];
const PAPER: Colour = [236, 226, 200];
const LEAF: Colour = [70, 150, 60];

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

  gem(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (let y = -10; y <= 6; y += 1) {
      const radius = y <= 0 ? 10 + y : 10 - 2 * Math.max(0, y - 2);
      for (let x = -radius; x <= radius; x += 1) {
        for (let z = -radius; z <= radius; z += 1) {
          const edge = Math.abs(x) + Math.abs(z);
          if (edge > radius * 1.4) continue;
          canvas.set([x, y, z], edge > radius * 0.8 ? glass(colour, 5) : solid(toned(colour, 1.25)));
        }
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

  flower(colour: Colour) {
    const canvas = new VoxelCanvas()
      .ball([0, -14, 0], [9, 3, 9], solid([108, 72, 44]))
      .ball([0, -12, 0], [8, 2, 8], solid(LEAF))
      .box([0, -12, 0], [1, 6, 1], solid(toned(LEAF, 0.8)))
      .ball([-4, -5, 3], [4, 1, 2], solid(LEAF))
      .ball([5, -1, -2], [4, 1, 2], solid(LEAF));
    for (let petal = 0; petal < 6; petal += 1) {
      const angle = (petal * Math.PI) / 3;
      canvas.ball(
        [Math.round(7 * Math.cos(angle)), 8, Math.round(7 * Math.sin(angle))],
        [4, 2, 4],
        solid(toned(colour, petal % 2 ? 1 : 0.85)),
      );
    }
    return canvas.ball([0, 9, 0], [4, 3, 4], solid(GOLD));
  },

  flask(colour: Colour) {
    return new VoxelCanvas()
      .within([0, 0, 0], [10, 10, 10], (distance, [, y]) => {
        if (distance > 1) return null;
        return distance > 0.86 ? glass([200, 225, 235], 2) : y < 2 ? glow(toned(colour, 1.1)) : null;
      })
      .box([-2, 10, -2], [2, 15, 2], glass([200, 225, 235], 3))
      .box([-3, 14, -3], [3, 14, 3], solid(GOLD))
      .box([-2, 15, -2], [2, 17, 2], solid(WOOD));
  },

  tome(colour: Colour) {
    return new VoxelCanvas()
      .box([-8, 0, -10], [8, 1, 10], solid(colour))
      .box([-7, 2, -9], [8, 5, 9], solid(PAPER))
      .box([-8, 6, -10], [8, 7, 10], solid(colour))
      .box([8, 0, -10], [9, 7, 10], solid(toned(colour, 0.7)))
      .box([-3, 8, -4], [3, 8, 4], solid(GOLD))
      .box([-1, 8, -2], [1, 8, 2], glow([140, 220, 255]));
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

  badge(colour: Colour) {
    return new VoxelCanvas()
      .within([0, 0, 0], [11, 11, 2], (distance) => (distance <= 1 ? solid(distance > 0.8 ? GOLD : colour) : null))
      .within([0, 0, 2], [5, 5, 2], (distance) => (distance <= 1 ? solid(GOLD) : null))
      .box([-6, 10, -1], [-3, 20, 0], solid([180, 40, 50]))
      .box([3, 10, -1], [6, 20, 0], solid([40, 80, 170]));
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

  fishingpole(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (let step = 0; step < 30; step += 1)
      canvas.box([0, step, Math.round(step / 3)], [1, step, Math.round(step / 3)], solid(step < 8 ? colour : WOOD));
    for (let y = 8; y < 29; y += 1) canvas.set([0, y, 11], glass([230, 240, 250], 5));
    return canvas.ball([1, 9, 1], [2, 2, 2], solid(STEEL)).box([0, 6, 11], [0, 7, 11], glow([255, 90, 60]));
  },
} as const;
