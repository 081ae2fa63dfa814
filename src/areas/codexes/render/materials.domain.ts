import {
  COLOURED_TYPES,
  GLASS,
  GLASS_ALPHA,
  GLOWING_GLASS,
  GLOWING_SOLID,
  MAX_TINTED_CHANNEL,
  OTHER_TINT,
  SIDE_LIGHT,
  TILED_GLASS,
  TINTS,
} from './materials.data.ts';

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
export function rgbOf(red: number, green: number, blue: number): number {
  return red | (green << 8) | (blue << 16);
}

function shadeColour(red: number, green: number, blue: number, light: number): number {
  return rgbOf(scaleChannel(red, light), scaleChannel(green, light), scaleChannel(blue, light));
}

function scaleChannel(channel: number, light: number): number {
  return Math.min(MAX_CHANNEL, Math.round(channel * light));
}
