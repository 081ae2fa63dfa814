/** A grey image: one byte per pixel, 0 black to 255 white, row by row. */
export interface Luminance {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A rectangle in pixels; right and bottom are exclusive. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function createLuminance(width: number, height: number): Luminance {
  return { width, height, data: new Uint8Array(width * height) };
}

/** Luminance of a colour, 0 to 255; transparent is black. */
export function luminanceOf(red: number, green: number, blue: number, alpha = 255): number {
  const opaque = (77 * red + 150 * green + 29 * blue) >> 8;
  return alpha === 255 ? opaque : Math.round((opaque * alpha) / 255);
}

/** Converts RGBA pixels to grey. */
export function toLuminance(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): Luminance {
  const image = createLuminance(width, height);
  const { data } = image;
  for (let index = 0, at = 0; index < data.length; index++, at += 4) {
    const opaque = (77 * (rgba[at] ?? 0) + 150 * (rgba[at + 1] ?? 0) + 29 * (rgba[at + 2] ?? 0)) >> 8;
    const alpha = rgba[at + 3] ?? 255;
    data[index] = alpha === 255 ? opaque : (opaque * alpha) / 255;
  }
  return image;
}

/** Downscales by an integer factor with a box filter. */
export function downscale(image: Luminance, factor: number): Luminance {
  if (factor === 1) return image;
  const width = Math.floor(image.width / factor);
  const height = Math.floor(image.height / factor);
  const small = createLuminance(width, height);
  const area = factor * factor;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let down = 0; down < factor; down++) {
        const start = (y * factor + down) * image.width + x * factor;
        for (let across = 0; across < factor; across++) sum += image.data[start + across] ?? 0;
      }
      small.data[y * width + x] = sum / area;
    }
  }
  return small;
}
