import { buildAssets } from './lib/asset-build.ts';
import { runMain } from './lib/main.ts';

/** Builds the git-ignored `assets/` folder, which is deployed with the Worker, and the types of the clients. Prints nothing if they are up to date. */
await runMain(async () => {
  const { copied, removed } = (await buildAssets()) ?? { copied: [], removed: [] };
  if (copied.length + removed.length > 0) console.log(`assets: ${copied.length} written, ${removed.length} removed`);
});
