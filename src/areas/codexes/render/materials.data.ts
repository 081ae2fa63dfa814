/** Types of voxels that are not plain solids. Glowing ones are not shaded. */
export const GLASS = 18;
export const SOLID = 21;
export const SOLID_FINISHED = 24;
export const TILED_GLASS = 54;
export const GLOWING_SOLID = 55;
export const GLOWING_GLASS = 56;

/** Types whose colour is always the stored one. */
export const COLOURED_TYPES: ReadonlySet<number> = new Set([GLASS, SOLID, SOLID_FINISHED, TILED_GLASS, GLOWING_SOLID, GLOWING_GLASS]);
/** Any other type with no channel above this is tinted by the game. */
export const MAX_TINTED_CHANNEL = 24;
/** Colour of the game's tint. */
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

/** Opacity of glass by its surface: the square of (16 + 32 w) / 255; surfaces above 7 count as 7. */
export const GLASS_ALPHA: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7].map((surface) => ((16 + 32 * surface) / 255) ** 2);

/** Brightness of the three sides that the camera sees. */
export const SIDE_LIGHT = { x: 0.929, y: 1.109, z: 0.5 } as const;
