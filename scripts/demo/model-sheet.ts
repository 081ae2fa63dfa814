import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeBlueprint } from '../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { renderVoxels } from '../../src/areas/codexes/render/render-blueprint.domain.ts';
import { encodePng } from '../../src/platform/kit/images/png.domain.ts';
import type { Pixels } from '../../src/platform/kit/images/shrink.domain.ts';
import { encodePackedBlueprint } from '../../test/support/codex/encode-blueprint.ts';
import { runMain, UserError } from '../lib/main.ts';
import { inRoot } from '../lib/paths.ts';
import { COLOURS, MODELS } from './models/demo-models.ts';

const DEFAULT_FILE = inRoot('.local', 'model-sheet.png');
const SIDES = [128, 256, 512] as const;
/** Backgrounds of a dark and a light page. */
const BACKGROUNDS = [
  [0x1e, 0x1f, 0x26],
  [0xf4, 0xf4, 0xf6],
] as const;

interface Placed {
  image: Pixels;
  left: number;
  top: number;
}

/** `npm run demo -- models [FILE]`: draws every demo model at each size on both backgrounds. For review after a change of the renderer. */
await runMain(() => {
  const file = process.argv[2] ?? DEFAULT_FILE;
  if (!file.endsWith('.png')) throw new UserError('The argument must be a .png file.');
  const kinds = Object.entries(MODELS);
  const files = kinds.map(([, draw], index) => encodePackedBlueprint(draw(COLOURS[index % COLOURS.length] ?? [0, 0, 0]).voxels()));
  const placed: Placed[] = [];
  const width = files.length * 128;
  let top = 0;
  for (const side of SIDES) {
    const columns = Math.floor(width / side);
    files.forEach((model, index) => {
      const image = renderVoxels(decodeBlueprint(model), side);
      placed.push({ image, left: (index % columns) * side, top: top + Math.floor(index / columns) * side });
    });
    top += Math.ceil(files.length / columns) * side;
  }
  const sheet = { width, height: BACKGROUNDS.length * top, rgba: new Uint8Array(4 * width * BACKGROUNDS.length * top) };
  BACKGROUNDS.forEach((background, index) => {
    fill(sheet, index * top, top, background);
    for (const { image, ...position } of placed) blend(sheet, image, { ...position, top: position.top + index * top });
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, encodePng(sheet));
  console.log(`${file}: ${kinds.map(([name]) => name).join(', ')}`);
});

function fill({ width, rgba }: Pixels, top: number, height: number, colour: readonly number[]): void {
  for (let pixel = top * width; pixel < (top + height) * width; pixel += 1) rgba.set([...colour, 255], 4 * pixel);
}

/** Blends an image over the sheet. */
function blend(sheet: Pixels, image: Pixels, { left, top }: { left: number; top: number }): void {
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      const [from, to] = [4 * (y * image.width + x), 4 * ((top + y) * sheet.width + left + x)];
      const alpha = (image.rgba[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const under = sheet.rgba[to + channel] ?? 0;
        sheet.rgba[to + channel] = Math.round(under + ((image.rgba[from + channel] ?? 0) - under) * alpha);
      }
    }
  }
}
