import { startBundle } from '../../scripts/lib/bundle.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';

const TOKENS = 3;

/** Runs the bundle on stored state with additional variables (JSON) until it is killed. Prints its URL and new superuser tokens as JSON. */
await runMain(async () => {
  const [state, vars = '{}'] = process.argv.slice(2);
  if (!state) throw new UserError('usage: server-process.ts STATE_FOLDER [VARIABLES_JSON]');
  const { url, mintToken } = await startBundle({
    reuseBuild: true,
    withoutAssets: true,
    persistTo: state,
    vars: { ENVIRONMENT: 'development', LOG_SAMPLE: '0', ...(JSON.parse(vars) as Record<string, string>) },
  });
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => mintToken({ superuser: true })));
  console.log(JSON.stringify({ url, tokens }));
});
