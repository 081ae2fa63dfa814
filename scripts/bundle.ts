import { buildBundle, MAX_GZIP_BYTES } from './lib/build-bundle.ts';
import { runMain, UserError } from './lib/main.ts';

/** Builds `dist/` like a deployment. Fails when the bundle exceeds the platform's limit. */
await runMain(async () => {
  const { rawBytes, gzipBytes } = await buildBundle();
  console.log(`Bundle: ${kibibytes(rawBytes)} KiB, gzip ${kibibytes(gzipBytes)} KiB of at most ${kibibytes(MAX_GZIP_BYTES)} KiB`);
  if (gzipBytes > MAX_GZIP_BYTES) throw new UserError('The bundle is too large to deploy.');
});

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
