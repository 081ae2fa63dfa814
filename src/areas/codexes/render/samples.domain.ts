import type { Pixels } from '../../../platform/kit/images/shrink.domain.ts';

/** Averages squares of samples to pixels; colours are weighted by alpha. `side` is the number of samples per row. */
export function averageSamples(samples: Uint32Array, side: number, perPixel: number): Pixels {
  const width = side / perPixel;
  const rgba = new Uint8Array(4 * width ** 2);
  const perSquare = perPixel ** 2;
  for (let pixel = 0; pixel < width ** 2; pixel += 1) {
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const first = row * perPixel * side + column * perPixel;
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (let y = 0; y < perPixel; y += 1) {
      for (let at = first + y * side; at < first + y * side + perPixel; at += 1) {
        const sample = samples[at] as number;
        if (sample === 0) continue;
        const weight = sample >>> 24;
        red += (sample & 0xff) * weight;
        green += ((sample >>> 8) & 0xff) * weight;
        blue += ((sample >>> 16) & 0xff) * weight;
        alpha += weight;
      }
    }
    if (alpha === 0) continue;
    rgba[4 * pixel] = Math.round(red / alpha);
    rgba[4 * pixel + 1] = Math.round(green / alpha);
    rgba[4 * pixel + 2] = Math.round(blue / alpha);
    rgba[4 * pixel + 3] = Math.round(alpha / perSquare);
  }
  return { width, height: width, rgba };
}
