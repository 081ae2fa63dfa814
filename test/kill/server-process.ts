import { startBundle } from '../../scripts/lib/bundle.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';

const TOKENS = 3;

/** Runs the bundle on stored state until it is killed. Prints its URL and new superuser tokens as one line of JSON. */
await runMain(async () => {
  const [state] = process.argv.slice(2);
  if (!state) throw new UserError('the state folder is missing');
  const { url, mintToken } = await startBundle({
    reuseBuild: true,
    withoutAssets: true,
    persistTo: state,
    vars: { ENVIRONMENT: 'development', LOG_SAMPLE: '0' },
  });
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => mintToken({ superuser: true })));
  console.log(JSON.stringify({ url, tokens }));
});
