import { runMain } from '../../scripts/lib/main.ts';
import { watchIsolate } from '../../scripts/lib/measure/isolate-memory.ts';
import { readManifest, type SheetImage } from './manifest.ts';
import { nativeVersion, readNatively } from './native.ts';
import { Score } from './score.ts';
import { type OcrService, startService } from './service.ts';

const TARGETS = { clean: 0.97, noisy: 0.9 } as const;
const MAX_TIME_RATIO = 1.5;
const MAX_MEMORY_MIB = 110;
const WATCHED_OF_A_FORMAT = 4;

/**
 * `npm run ocr -- eval [--reuse --limit 20]`: reads the corpus with the deployable bundle and with the local tesseract, alternating
 * per image, and compares both with the known values.
 */
await runMain(async () => {
  const images = limited(readManifest());
  const native = await nativeVersion();
  console.log(`native tesseract: ${native ?? 'not installed'}`);
  const service = await startService();
  try {
    const first = images[0];
    if (first) await service.read(first);
    const ours = new Score();
    const theirs = new Score();
    for (const image of images) {
      ours.add(image, await service.read(image));
      if (native) theirs.add(image, await readNatively(image));
    }
    report(images, ours, native ? theirs : null);
    await reportMemory(service, images);
  } finally {
    await service.bundle.dispose();
  }
});

/**
 * Measures the isolate's peak memory for the largest images of each format, and the memory after a garbage collection. The local
 * runtime rarely collects, so the peak includes released memory. A separate round, because sampling slows the requests down.
 */
async function reportMemory({ bundle, read }: OcrService, images: readonly SheetImage[]): Promise<void> {
  const watch = await watchIsolate(bundle.mf);
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  console.log(`memory of the isolate (target ${MAX_MEMORY_MIB} MiB):`);
  const largest = images.toSorted((one, other) => other.width * other.height - one.width * one.height);
  await watch.resetPeaks();
  for (const format of ['jpeg', 'webp', 'png']) {
    for (const image of largest.filter((candidate) => candidate.format === format).slice(0, WATCHED_OF_A_FORMAT)) {
      await read(image);
      const { heap, wasm, rest } = await watch.resetPeaks();
      const parts = `heap and buffers ${mebibytes(heap)}, WebAssembly ${mebibytes(wasm)}`;
      console.log(`  ${image.file}, ${image.width} x ${image.height}: ${parts}; ${mebibytes(rest)} once collected`);
    }
  }
  await watch.stop();
}

/** The first images up to `--limit`, otherwise all. */
function limited(images: SheetImage[]): SheetImage[] {
  const at = process.argv.indexOf('--limit');
  return at < 0 ? images : images.slice(0, Number(process.argv[at + 1]));
}

function report(images: readonly SheetImage[], ours: Score, theirs: Score | null): void {
  console.log(`\n${ours.table(theirs)}\n`);
  for (const group of ['clean', 'noisy'] as const) {
    const exact = ours.exactShare(group);
    const other = theirs ? `, native ${percent(theirs.exactShare(group))}` : '';
    const count = images.filter((image) => image.group === group).length;
    console.log(`${group} (${count} images): ${percent(exact)} of values exact${other} (target ${percent(TARGETS[group])})`);
  }
  console.log(`wrong values with a confidence of 0.9 or more: ${ours.confidentErrors.length} (target 0)`);
  console.log(`correct values with a confidence of 0.9 or more: ${percent(ours.confidentShare())}`);
  const ratio = theirs
    ? `, native ${theirs.medianTime()} ms, ratio ${(ours.medianTime() / theirs.medianTime()).toFixed(2)} (target ${MAX_TIME_RATIO})`
    : '';
  console.log(`median time: ${ours.medianTime()} ms${ratio}`);
  for (const miss of [...ours.confidentErrors, ...ours.misses]) console.log(`  ${miss}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
