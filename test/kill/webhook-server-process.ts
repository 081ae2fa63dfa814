import { startBundle } from '../../scripts/lib/bundle.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';

/** Runs the bundle on stored state with additional variables (JSON) until it is killed. Prints its URL and a superuser's token. */
await runMain(async () => {
  const [state, vars] = process.argv.slice(2);
  if (!state || !vars) throw new UserError('usage: webhook-server-process.ts STATE_FOLDER VARIABLES_JSON');
  const { url, mintToken } = await startBundle({
    reuseBuild: true,
    withoutAssets: true,
    persistTo: state,
    vars: JSON.parse(vars) as Record<string, string>,
  });
  console.log(JSON.stringify({ url, token: await mintToken({ superuser: true }) }));
});
