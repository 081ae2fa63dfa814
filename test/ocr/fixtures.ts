import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode as encodeBmp } from 'fast-bmp';
import omggif from 'omggif';
import { runMain } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { createPainter } from './images.ts';
import { panelSize, type SheetPlan, type SheetRow } from './sheets.ts';

const FOLDER = inRoot('test', 'fixtures', 'ocr');

const row = (key: string, label: string, text: string, value: number): SheetRow => ({ key, label, text, value });

/** The sheet in the documentation. */
const SHEET: SheetPlan = {
  name: 'sheet',
  group: 'clean',
  language: 'en',
  theme: 'night',
  font: 'Open Sans',
  width: 0,
  height: 0,
  fontSize: 18,
  columns: 1,
  valuesClose: false,
  icons: true,
  wholeScreen: false,
  rows: [
    row('physical_damage', 'Physical Damage', '24,459', 24_459),
    row('magic_damage', 'Magic Damage', '702,115', 702_115),
    row('critical_damage', 'Critical Damage', '2,950.5%', 2950.5),
    row('critical_hit', 'Critical Hit', '84.2%', 84.2),
    row('attack_speed', 'Attack Speed', '212.3%', 212.3),
    row('maximum_health', 'Maximum Health', '1,253,201', 1_253_201),
    row('jump', 'Jump', '14', 14),
    row('light', 'Light', '17,239', 17_239),
    row('power_rank', 'Power Rank', '37,418', 37_418),
  ],
  format: 'png',
  quality: 90,
  noise: 0,
  resample: 1,
  contrast: 1,
  seed: 1,
};

/** The sheet with its first rows only. */
function sampleOf(rows: number): SheetPlan {
  return { ...SHEET, rows: SHEET.rows.slice(0, rows), ...panelSize(SHEET.fontSize, rows, SHEET.columns) };
}

const SAMPLE = sampleOf(SHEET.rows.length);

/** `node test/ocr/fixtures.ts`: draws the sample of the documentation and the tests in every format. */
await runMain(async () => {
  mkdirSync(FOLDER, { recursive: true });
  const { paint, draw } = await createPainter();
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    writeFileSync(join(FOLDER, `sheet.${format === 'jpeg' ? 'jpg' : format}`), await paint({ ...SAMPLE, format }));
  }
  // For tests that only need a valid image, which take a fifth of the time.
  writeFileSync(join(FOLDER, 'short-sheet.webp'), await paint({ ...sampleOf(1), format: 'webp' }));
  const { data, width, height } = draw(SAMPLE);
  const grey = Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0);
  writeFileSync(join(FOLDER, 'sheet.bmp'), encodeBmp({ width, height, data: grey, channels: 1, components: 1, bitsPerPixel: 8 }));
  for (const frames of [1, 2]) {
    const bytes = new Uint8Array(width * height * (frames + 1) + 4096);
    const gif = new omggif.GifWriter(bytes, width, height, { palette: Array.from({ length: 256 }, (_, level) => level * 0x010101) });
    for (let frame = 0; frame < frames; frame++) gif.addFrame(0, 0, width, height, [...grey]);
    writeFileSync(join(FOLDER, frames === 1 ? 'sheet.gif' : 'animated.gif'), bytes.subarray(0, gif.end()));
  }
});
