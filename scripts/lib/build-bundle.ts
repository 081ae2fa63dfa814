import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildAssets } from './asset-build.ts';
import { runWrangler } from './commands.ts';
import { inRoot } from './paths.ts';

export const BUNDLE_FOLDER = inRoot('dist');

export interface BundleSize {
  rawBytes: number;
  gzipBytes: number;
}

/** Bundles the Worker into `dist/` like a deployment, without deploying. */
export async function buildBundle(): Promise<BundleSize> {
  await buildAssets();
  rmSync(BUNDLE_FOLDER, { recursive: true, force: true });
  await runWrangler(['deploy', '--dry-run', '--env', 'production', '--outdir', BUNDLE_FOLDER]);
  return measureBundle();
}

/** Names of the files below `dist/` that a deployment uploads: code and modules, not source maps or wrangler's README. */
export function listUploads(folder = BUNDLE_FOLDER): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== 'README.md')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function measureBundle(): BundleSize {
  const contents = listUploads().map((name) => readFileSync(join(BUNDLE_FOLDER, name)));
  return {
    rawBytes: contents.reduce((sum, bytes) => sum + bytes.length, 0),
    gzipBytes: contents.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0),
  };
}
