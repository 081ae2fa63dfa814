import { planAssets, syncAssets } from '../assets.ts';
import { DEV_VARS, ROOT } from '../paths.ts';
import { ensureDevVars } from './dev-vars.ts';

/** Writes the files that `wrangler dev` needs: assets and development variables. Loads no tools, to be fast. */
export function prepareFiles(): void {
  syncAssets(planAssets(ROOT));
  const environment = ensureDevVars(DEV_VARS);
  if (environment !== 'development') console.log(`Note: .dev.vars sets ENVIRONMENT=${environment}; not changed.`);
}
