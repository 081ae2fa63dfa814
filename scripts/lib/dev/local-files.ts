import { type BuildOptions, buildAssets } from '../asset-build.ts';
import { DEV_VARS } from '../paths.ts';
import { ensureDevVars } from './dev-vars.ts';

/** Writes the files that `wrangler dev` needs: assets and development variables. Loads the tools only for a build, to be fast. */
export async function prepareFiles(options?: BuildOptions): Promise<void> {
  await buildAssets(options);
  const environment = ensureDevVars(DEV_VARS);
  if (environment !== 'development') console.log(`Note: .dev.vars sets ENVIRONMENT=${environment}; not changed.`);
}
