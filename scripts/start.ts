import { runMain } from './lib/main.ts';
import { onStopRequest } from './lib/stop-signals.ts';

/**
 * `npm start`: prepares the checkout and runs the local server and the cron ticker until stopped. Listens for stop signals before the
 * tools are imported, because the parent process may exit during the import.
 */
const stopping = new AbortController();
onStopRequest(() => stopping.abort());

await runMain(
  async () => {
    const { readStartOptions, START_USAGE } = await import('./lib/dev/start-options.ts');
    if (process.argv.includes('--help')) return console.log(START_USAGE);
    const options = readStartOptions(process.argv.slice(2), process.env.PORT);
    const { serve } = await import('./lib/dev/serve.ts');
    await serve(options, stopping.signal);
  },
  { isServer: true },
);
