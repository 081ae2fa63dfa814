import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { SHIELD_THRESHOLDS, SIGIL_SIZE, WING_THRESHOLDS } from '../../src/areas/stats/sigil.data.ts';
import { type SigilScale, type SigilTiers, sigilSvg } from '../../src/areas/stats/sigil.domain.ts';
import { runMain, UserError } from '../lib/main.ts';
import { inRoot } from '../lib/paths.ts';

const DEFAULT_FILE = inRoot('.local', 'sigil-sheet.png');
const WASM = inRoot('node_modules', '@resvg', 'resvg-wasm', 'index_bg.wasm');

/** Backgrounds of a dark and a light page. */
const BACKGROUNDS = ['#1e1f26', '#f4f4f6'] as const;

/** A grid of sigils with the same scale and background. */
interface Block {
  sigils: readonly SigilTiers[];
  columns: number;
  scale: SigilScale;
  background: string;
}

function render(svg: string): Uint8Array {
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

/** Renders each sigil separately, as the service does, and places it on the sheet as an image. */
function drawBlock({ sigils, columns, scale, background }: Block, top: number): { svg: string; width: number; height: number } {
  const cell = SIGIL_SIZE * scale;
  const images = sigils.map((tiers, index) => {
    const png = Buffer.from(render(sigilSvg(tiers, scale))).toString('base64');
    const [x, y] = [(index % columns) * cell, top + Math.floor(index / columns) * cell];
    return `<image x="${x}" y="${y}" width="${cell}" height="${cell}" href="data:image/png;base64,${png}"/>`;
  });
  const [width, height] = [columns * cell, Math.ceil(sigils.length / columns) * cell];
  const ground = `<rect y="${top}" width="${width}" height="${height}" fill="${background}"/>`;
  return { svg: ground + images.join(''), width, height };
}

function drawSheet(blocks: readonly Block[]): Uint8Array {
  let height = 0;
  let width = 0;
  const drawn = blocks.map((block) => {
    const { svg, ...size } = drawBlock(block, height);
    height += size.height;
    width = Math.max(width, size.width);
    return svg;
  });
  return render(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join('')}</svg>`);
}

/** Every wing tier once, with the shield tiers spread evenly, like the progress of a player. */
function careers(): SigilTiers[] {
  const last = { shield: SHIELD_THRESHOLDS.length - 1, wings: WING_THRESHOLDS.length - 1 };
  return WING_THRESHOLDS.map((_, wings) => ({ shield: Math.round((wings / last.wings) * last.shield), wings }));
}

/** All 390 images: a column per shield, a row per pair of wings. */
function everyPair(): SigilTiers[] {
  return WING_THRESHOLDS.flatMap((_, wings) => SHIELD_THRESHOLDS.map((__, shield) => ({ shield, wings })));
}

/** `npm run demo -- sigils [FILE]`: draws every sigil into one image. For review after a change of the art. */
await runMain(async () => {
  const file = process.argv[2] ?? DEFAULT_FILE;
  if (!file.endsWith('.png')) throw new UserError('The argument must be a .png file.');
  mkdirSync(dirname(file), { recursive: true });
  await initWasm(readFileSync(WASM));
  const columns = SHIELD_THRESHOLDS.length;
  const sheet = drawSheet([
    ...BACKGROUNDS.map((background): Block => ({ sigils: careers(), columns: 7, scale: 2, background })),
    ...BACKGROUNDS.map((background): Block => ({ sigils: everyPair(), columns, scale: 1, background })),
  ]);
  writeFileSync(file, sheet);
  console.log(`${file}: ${SHIELD_THRESHOLDS.length} shields on ${WING_THRESHOLDS.length} pairs of wings`);
});
