import { buildBundle } from './lib/build-bundle.ts';
import { runMain, UserError } from './lib/main.ts';

/** KiB after gzip. The bundle has 30 KiB less: a library that grows, or that is imported as a whole, exceeds it. */
const MAX_GZIP_KIB = 3346;

/** `npm run bundle`: builds `dist/` like a deployment and prints its size. Fails above the maximum. */
await runMain(async () => {
  const { rawBytes, gzipBytes } = await buildBundle();
  console.log(`Bundle: ${kibibytes(rawBytes)} KiB, gzip ${kibibytes(gzipBytes)} KiB`);
  if (gzipBytes > MAX_GZIP_KIB * 1024) throw new UserError(`the bundle has more than ${MAX_GZIP_KIB} KiB after gzip`);
});

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
