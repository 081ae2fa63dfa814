/** Voxel types with a stored colour. Glowing types are not shaded. */
export const GLASS = 18;
export const SOLID = 21;
export const SOLID_FINISHED = 24;
export const TILED_GLASS = 54;
export const GLOWING_SOLID = 55;
export const GLOWING_GLASS = 56;

/** Types that always have the stored colour. */
export const COLOURED_TYPES: ReadonlySet<number> = new Set([GLASS, SOLID, SOLID_FINISHED, TILED_GLASS, GLOWING_SOLID, GLOWING_GLASS]);
/** Voxels of other types are tinted by the game if no channel exceeds this value. */
export const MAX_TINTED_CHANNEL = 24;
/** Tint colour by voxel type. */
export const TINTS: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [1, [150, 130, 100]],
  [2, [40, 170, 0]],
  [3, [120, 120, 120]],
  [4, [110, 78, 165]],
  [79, [185, 194, 197]],
  [100, [220, 222, 225]],
  [174, [232, 33, 70]],
]);
export const OTHER_TINT: readonly [number, number, number] = [110, 110, 110];

/** Alpha of glass by surface number w: ((16 + 32 w) / 255)²; surfaces above 7 are treated as 7. */
export const GLASS_ALPHA: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7].map((surface) => ((16 + 32 * surface) / 255) ** 2);

/** Brightness of the three visible sides. */
export const SIDE_LIGHT = { x: 0.929, y: 1.109, z: 0.5 } as const;
