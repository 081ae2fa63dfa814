import { runMain } from './lib/main.ts';
import { onStopRequest } from './lib/stop-signals.ts';

/**
 * `npm start`: prepares the checkout, serves it locally and ticks its cron until stopped. Watching for the end begins
 * before the tools are loaded, which takes long enough for a parent to vanish unseen.
 */
const stopping = new AbortController();
onStopRequest(() => stopping.abort());

await runMain(async () => {
  const { readStartOptions } = await import('./lib/dev/start-options.ts');
  const options = readStartOptions(process.argv.slice(2), process.env.PORT);
  const { serve } = await import('./lib/dev/serve.ts');
  await serve(options, stopping.signal);
});
