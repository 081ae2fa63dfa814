import { buildBundle } from './lib/build-bundle.ts';
import { runMain } from './lib/main.ts';

/** Builds `dist/` like a deployment and prints its size. */
await runMain(async () => {
  const { rawBytes, gzipBytes } = await buildBundle();
  console.log(`Bundle: ${kibibytes(rawBytes)} KiB, gzip ${kibibytes(gzipBytes)} KiB`);
});

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
