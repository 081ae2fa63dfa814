import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMain } from '../../scripts/lib/main.ts';
import { createPainter } from './images.ts';
import { CORPUS_FOLDER, MANIFEST, type SheetImage } from './manifest.ts';
import { LANGUAGES, planSheets } from './sheets.ts';

const DEFAULT_COUNT = 140;
const DEFAULT_SEED = 7;

/** `npm run ocr -- corpus [--count 140 --seed 7 --languages de,es,pt]`: draws stat sheets with known values into `.local/ocr-corpus/`. */
await runMain(async () => {
  const option = (name: string, fallback: number) => {
    const index = process.argv.indexOf(`--${name}`);
    return index < 0 ? fallback : Number(process.argv[index + 1]);
  };
  const at = process.argv.indexOf('--languages');
  const languages = at < 0 ? [] : LANGUAGES.filter((language) => process.argv[at + 1]?.split(',').includes(language));
  const plans = planSheets(option('count', DEFAULT_COUNT), option('seed', DEFAULT_SEED), languages);
  rmSync(CORPUS_FOLDER, { recursive: true, force: true });
  mkdirSync(CORPUS_FOLDER, { recursive: true });
  const { paint } = await createPainter();
  const images: SheetImage[] = [];
  for (const plan of plans) {
    const file = `${plan.name}.${plan.format === 'jpeg' ? 'jpg' : plan.format}`;
    writeFileSync(join(CORPUS_FOLDER, file), await paint(plan));
    const { rows, ...rest } = plan;
    images.push({ file, ...rest, stats: Object.fromEntries(rows.map(({ key, value }) => [key, value])) });
  }
  writeFileSync(MANIFEST, `${JSON.stringify(images, null, 1)}\n`);
  console.log(`${images.length} images in ${CORPUS_FOLDER}`);
});
