/** Voxel types with a stored colour. Glowing types are not shaded. */
const GLASS = 18;
const SOLID = 21;
const SOLID_FINISHED = 24;
const TILED_GLASS = 54;
const GLOWING_SOLID = 55;
const GLOWING_GLASS = 56;

/** Types that always have the stored colour. */
const COLOURED_TYPES: ReadonlySet<number> = new Set([GLASS, SOLID, SOLID_FINISHED, TILED_GLASS, GLOWING_SOLID, GLOWING_GLASS]);
/** Voxels of other types are tinted by the game if no channel exceeds this value. */
const MAX_TINTED_CHANNEL = 24;
/** Tint colour by voxel type. */
const TINTS: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [1, [150, 130, 100]],
  [2, [40, 170, 0]],
  [3, [120, 120, 120]],
  [4, [110, 78, 165]],
  [79, [185, 194, 197]],
  [100, [220, 222, 225]],
  [174, [232, 33, 70]],
]);
const OTHER_TINT: readonly [number, number, number] = [110, 110, 110];

/** Alpha of glass by surface number w: ((16 + 32 w) / 255)²; surfaces above 7 are treated as 7. */
const GLASS_ALPHA: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7].map((surface) => ((16 + 32 * surface) / 255) ** 2);

/** Brightness of the three visible sides. */
const SIDE_LIGHT = { x: 0.929, y: 1.109, z: 0.5 } as const;

const MAX_CHANNEL = 255;

/** Whether voxels of a type are translucent. */
export function isGlass(type: number): boolean {
  return type === GLASS || type === TILED_GLASS || type === GLOWING_GLASS;
}

/** Alpha of a glass surface, 0 to 1. */
export function glassAlpha(surface: number): number {
  return GLASS_ALPHA[Math.min(surface, GLASS_ALPHA.length - 1)] as number;
}

/** Colours of the three visible sides of a voxel, as `rgbOf` packs them. */
export interface SideColours {
  x: number;
  y: number;
  z: number;
}

/** Writes the colours of the three sides to `into`, which is reused for every voxel. */
export function shade(type: number, red: number, green: number, blue: number, into: SideColours): void {
  let [r, g, b] = [red, green, blue];
  if (!COLOURED_TYPES.has(type) && red <= MAX_TINTED_CHANNEL && green <= MAX_TINTED_CHANNEL && blue <= MAX_TINTED_CHANNEL) {
    [r, g, b] = TINTS.get(type) ?? OTHER_TINT;
  }
  const isLit = type !== GLOWING_SOLID && type !== GLOWING_GLASS;
  into.x = isLit ? shadeColour(r, g, b, SIDE_LIGHT.x) : rgbOf(r, g, b);
  into.y = isLit ? shadeColour(r, g, b, SIDE_LIGHT.y) : rgbOf(r, g, b);
  into.z = isLit ? shadeColour(r, g, b, SIDE_LIGHT.z) : rgbOf(r, g, b);
}

/** Red in the lowest byte, then green and blue: the byte order of image data on little-endian machines. */
function rgbOf(red: number, green: number, blue: number): number {
  return red | (green << 8) | (blue << 16);
}

function shadeColour(red: number, green: number, blue: number, light: number): number {
  return rgbOf(scaleChannel(red, light), scaleChannel(green, light), scaleChannel(blue, light));
}

function scaleChannel(channel: number, light: number): number {
  return Math.min(MAX_CHANNEL, Math.round(channel * light));
}
