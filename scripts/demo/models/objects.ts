import { type Colour, glass, glow, solid, toned, VoxelCanvas } from './voxel-canvas.ts';

const WOOD: Colour = [126, 84, 48];
const STEEL: Colour = [150, 158, 170];
const GOLD: Colour = [236, 184, 58];
const PAPER: Colour = [236, 226, 200];
const STONE: Colour = [112, 110, 118];
const LEAF: Colour = [86, 150, 70];
const FLASH: Colour = [255, 240, 150];

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

  gem(colour: Colour) {
    return new VoxelCanvas().within([0, 0, 0], [9, 13, 9], (_, [x, y, z]) => {
      const girdle = Math.abs(x) + Math.abs(z) + (y > 4 ? 2 * (y - 4) : (4 - y) / 2);
      return girdle > 9 ? null : girdle > 8 && (x + z) % 4 === 0 ? glow(toned(colour, 1.3)) : solid(toned(colour, 0.9 + y / 40));
    });
  },

  flask(colour: Colour) {
    return new VoxelCanvas()
      .within([0, -3, 0], [9, 9, 9], (distance, [, y]) => (distance > 1 ? null : y < 0 ? solid(colour) : glass([214, 230, 240], 2)))
      .box([-2, 6, -2], [2, 11, 2], glass([214, 230, 240], 2))
      .box([-3, 11, -3], [3, 11, 3], solid(STEEL))
      .box([-2, 12, -2], [2, 14, 2], solid(WOOD));
  },

  coin(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (const z of [-1, 0, 1]) {
      canvas.within([0, 0, z], [11, 11, 0.9], (distance) => (distance > 1 ? null : solid(toned(GOLD, distance > 0.82 ? 0.8 : 1.05))));
    }
    return canvas.box([-1, -6, 2], [1, 6, 2], solid(colour)).box([-4, -1, 2], [4, 1, 2], solid(colour));
  },

  gear(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (let turn = 0; turn < 8; turn += 1) {
      const [x, y] = [Math.round(9 * Math.cos((turn * Math.PI) / 4)), Math.round(9 * Math.sin((turn * Math.PI) / 4))];
      canvas.box([x - 2, y - 2, -2], [x + 2, y + 2, 2], solid(toned(colour, 0.8)));
    }
    for (let z = -2; z <= 2; z += 1) {
      canvas.within([0, 0, z], [9, 9, 0.9], (distance) => (distance > 1 ? null : solid(toned(colour, distance > 0.5 ? 1 : 1.15))));
    }
    return canvas.box([-2, -2, -3], [2, 2, 3], solid(STEEL)).box([-1, -1, 4], [1, 1, 4], solid(toned(STEEL, 0.5)));
  },

  orb(colour: Colour) {
    return new VoxelCanvas()
      .box([-6, -11, -6], [6, -9, 6], solid(GOLD))
      .within([0, 0, 0], [9, 9, 9], (distance, [x, y, z]) =>
        distance > 1 ? null : (x * 3 + y * 5 + z * 7) % 11 === 0 ? glow(toned(colour, 1.3)) : solid(colour),
      );
  },

  bomb(colour: Colour) {
    return new VoxelCanvas()
      .ball([0, 0, 0], [9, 9, 9], solid([58, 58, 66]))
      .within([0, 0, 0], [9.6, 2, 9.6], (distance) => (distance > 1 ? null : solid(colour)))
      .box([-2, 8, -2], [2, 11, 2], solid(STEEL))
      .box([0, 12, 0], [0, 14, 0], solid(PAPER))
      .ball([1, 15, 0], [1.5, 1.5, 1.5], glow(FLASH));
  },

  book(colour: Colour) {
    return new VoxelCanvas()
      .box([-8, -10, -3], [8, 10, 3], solid(colour))
      .box([-7, -9, -2], [9, 9, 2], solid(PAPER))
      .box([-8, -10, -2], [-7, 10, 2], solid(toned(colour, 0.8)))
      .box([-4, -5, 4], [4, 5, 4], solid(GOLD))
      .box([-2, -3, 5], [2, 3, 5], solid(toned(colour, 0.7)));
  },

  ore(colour: Colour) {
    return new VoxelCanvas().within([0, 0, 0], [10, 8, 9], (distance, [x, y, z]) => {
      const grain = (((x >> 1) * 7 + (y >> 1) * 13 + (z >> 1) * 5) % 9) + 8;
      if (distance > 0.72 + grain / 60) return null;
      return grain % 5 === 0 ? glow(colour) : solid(toned(STONE, 0.85 + (grain % 4) / 14));
    });
  },

  plant(colour: Colour) {
    const canvas = new VoxelCanvas().box([0, -12, 0], [0, 4, 0], solid(toned(LEAF, 0.8)));
    for (const [x, y, z] of [
      [-5, -6, 0],
      [5, -4, 0],
      [0, -7, 5],
    ] as const) {
      canvas.ball([x, y, z], [x === 0 ? 2 : 5, 1.5, z === 0 ? 2.5 : 5], solid(LEAF));
    }
    for (let turn = 0; turn < 5; turn += 1) {
      const angle = (turn * 2 * Math.PI) / 5;
      canvas.ball([5 * Math.cos(angle), 6 + 5 * Math.sin(angle), 0], [3.5, 3.5, 1.5], solid(colour));
    }
    return canvas.ball([0, 6, 1], [2.5, 2.5, 2], glow(FLASH));
  },

  fish(colour: Colour) {
    const canvas = new VoxelCanvas().within([0, 0, 0], [10, 6, 3.5], (distance, [x, y]) =>
      distance > 1 ? null : solid(toned(colour, y < -2 ? 1.25 : x % 4 === 0 ? 0.9 : 1)),
    );
    for (let x = 9; x <= 14; x += 1) canvas.box([x, 8 - x, 0], [x, x - 8, 0], solid(toned(colour, 0.8)));
    for (let x = -3; x <= 4; x += 1) canvas.box([x, 5, 0], [x, 8 - Math.abs(x) / 2, 0], solid(toned(colour, 0.8)));
    return canvas.box([-7, 1, 3], [-6, 2, 3], solid([24, 24, 30])).box([-7, 1, -3], [-6, 2, -3], solid([24, 24, 30]));
  },
} as const;
