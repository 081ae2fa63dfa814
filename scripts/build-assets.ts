import { planAssets, syncAssets } from './lib/assets.ts';
import { runMain } from './lib/main.ts';
import { ROOT } from './lib/paths.ts';

/** Builds the git-ignored `assets/` folder, which is deployed with the Worker. Prints nothing if the folder is up to date. */
await runMain(() => {
  const { copied, removed } = syncAssets(planAssets(ROOT));
  if (copied.length + removed.length > 0) console.log(`assets: ${copied.length} written, ${removed.length} removed`);
});
