import { type Colour, glow, solid, toned, VoxelCanvas } from './voxel-canvas.ts';

const DARK: Colour = [40, 36, 44];
const HORN: Colour = [226, 214, 190];
const EYE = glow([255, 236, 120]);

/** Creatures that walk, swim or fly, in a given colour; they face +z. */
export const CREATURES = {
  mount(colour: Colour) {
    const belly = solid(toned(colour, 1.2));
    return new VoxelCanvas()
      .ball([0, 8, 0], [6, 5, 11], solid(colour))
      .ball([0, 5, 0], [4, 3, 9], belly)
      .box([3, -4, 6], [5, 6, 8], solid(toned(colour, 0.8)))
      .box([3, -4, -8], [5, 6, -6], solid(toned(colour, 0.8)))
      .box([3, -5, 6], [5, -4, 8], solid(DARK))
      .box([3, -5, -8], [5, -4, -6], solid(DARK))
      .box([0, 9, 8], [2, 17, 12], solid(colour))
      .ball([0, 18, 14], [4, 4, 6], solid(colour))
      .box([2, 21, 11], [3, 24, 12], solid(toned(colour, 0.7)))
      .set([4, 19, 16], EYE)
      .mirrored()
      .box([0, 21, 17], [0, 26, 17], solid(HORN))
      .box([-4, 13, -4], [4, 14, 3], solid([150, 40, 46]))
      .box([0, 12, -11], [0, 13, -15], solid(DARK))
      .box([-1, 4, -14], [1, 12, -12], solid(toned(colour, 0.6)));
  },

  dragon(colour: Colour) {
    const canvas = new VoxelCanvas()
      .ball([0, 6, 0], [5, 5, 9], solid(colour))
      .ball([0, 4, 1], [4, 4, 7], solid([228, 196, 130]))
      .box([2, -3, 3], [4, 4, 5], solid(toned(colour, 0.8)))
      .box([2, -3, -6], [4, 4, -4], solid(toned(colour, 0.8)))
      .ball([0, 14, 11], [4, 4, 5], solid(colour))
      .box([0, 8, 7], [2, 14, 10], solid(colour))
      .box([2, 17, 8], [3, 21, 9], solid(HORN))
      .set([4, 15, 13], EYE);
    for (let span = 0; span < 15; span += 1) {
      const paint = solid(toned(colour, span % 5 === 0 ? 0.6 : 1.3));
      canvas.box([4 + span, 9 + span, -9 + (span >> 1)], [4 + span, 10 + span, 6 - (span >> 2)], paint);
    }
    canvas.mirrored();
    for (let step = 0; step < 12; step += 1) {
      const width = Math.max(0, 2 - Math.floor(step / 4));
      canvas.box([-width, 6 - (step >> 2), -9 - step], [width, 8 - (step >> 2), -9 - step], solid(toned(colour, 0.85)));
    }
    for (let z = -8; z < 8; z += 3) canvas.box([0, 11, z], [0, 13, z], solid(HORN));
    return canvas;
  },

  ally(colour: Colour) {
    return new VoxelCanvas()
      .ball([0, 5, 0], [6, 6, 6], solid(colour))
      .ball([0, 4, 3], [4, 4, 4], solid(toned(colour, 1.35)))
      .box([2, -2, 1], [4, 0, 4], solid(toned(colour, 0.7)))
      .box([3, 10, -1], [5, 15, 1], solid(toned(colour, 0.8)))
      .box([2, 6, 6], [3, 8, 6], solid(DARK))
      .set([3, 8, 6], solid([250, 250, 250]))
      .mirrored()
      .box([-1, 4, 7], [1, 4, 7], solid([220, 110, 110]));
  },

  wings(colour: Colour) {
    const canvas = new VoxelCanvas();
    for (let span = 0; span < 18; span += 1) {
      const top = Math.round(14 * Math.sin((span / 18) * 2.2));
      const feather = span % 3;
      canvas.box([2 + span, top - 14 + feather * 2, 0], [2 + span, top, 0], solid(toned(colour, 0.75 + feather * 0.2)));
      canvas.box([2 + span, top, 0], [2 + span, top + 1, 1], solid(toned(colour, 1.3)));
    }
    return canvas.mirrored().ball([0, -2, 0], [3, 5, 2], glow(toned(colour, 1.4)));
  },
} as const;
