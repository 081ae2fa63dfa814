import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AssetChanges } from './assets.ts';
import { inRoot, ROOT } from './paths.ts';

/** Sources of the assets and of the types of the clients, and the assets. */
const FILES = ['src', 'docs/guide', 'CHANGELOG.md', 'clients', 'scripts/lib', 'package-lock.json', 'wrangler.toml', 'assets'].map((path) =>
  inRoot(path),
);
/** Folders of `clients` that builds and installs write. */
const WRITTEN = ['node_modules', 'dist', '__pycache__'];
const STAMP = inRoot('.local', 'built-assets');

export interface BuildOptions {
  /** Keeps existing types of the clients, which take seconds to build: for a server that builds after every change of a source. */
  keepsTypes?: boolean;
}

/**
 * Builds the git-ignored `assets/` folder and the types of the clients if one of their sources has changed. Returns null if none has. The
 * tools are only loaded for a build.
 */
export async function buildAssets({ keepsTypes = false }: BuildOptions = {}): Promise<AssetChanges | null> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprintOf(FILES)) return null;
  const { haveClientTypes, writeClientTypes } = await import('./clients/client-types.ts');
  const isComplete = !keepsTypes || !haveClientTypes();
  if (isComplete) await writeClientTypes();
  const { planAssets, syncAssets } = await import('./assets.ts');
  const changes = syncAssets(planAssets(ROOT));
  if (isComplete) {
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, fingerprintOf(FILES));
  }
  return changes;
}

/** Hash of names, sizes and times of the files. Folders count with the files in them. */
function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${stats?.isFile() ? `${stats.size} ${stats.mtimeMs}` : stats !== undefined}\n`);
    if (!stats?.isDirectory()) return;
    for (const name of readdirSync(path).sort()) if (!WRITTEN.includes(name)) add(join(path, name));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}
