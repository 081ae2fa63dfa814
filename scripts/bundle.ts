import { buildBundle, MAX_GZIP_BYTES } from './lib/build-bundle.ts';
import { runMain, UserError } from './lib/main.ts';

/** Builds `dist/` as a deployment would and fails when it has grown past what the platform takes. */
await runMain(async () => {
  const { rawBytes, gzipBytes } = await buildBundle();
  console.log(`Bundle: ${kibibytes(rawBytes)} KiB, gzip ${kibibytes(gzipBytes)} KiB of at most ${kibibytes(MAX_GZIP_BYTES)} KiB`);
  if (gzipBytes > MAX_GZIP_BYTES) throw new UserError('The bundle is too large to be deployed.');
});

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
