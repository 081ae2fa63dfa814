import { setTimeout as sleep } from 'node:timers/promises';
import { runMain } from '../lib/main.ts';
import { onStopRequest } from '../lib/stop-signals.ts';
import { createCollector } from './collector.ts';
import { parseDumpsWatchOptions } from './options.ts';

const LOOK_MS = 5000;

/** `npm run dumps -- watch`: sends new dump files until it is stopped. */
await runMain(
  async () => {
    const { once, ...options } = parseDumpsWatchOptions(process.argv.slice(2), process.env);
    const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`);
    const stopping = new AbortController();
    onStopRequest(() => stopping.abort());
    const collector = createCollector({ ...options, log, now: Date.now, random: Math.random });
    log(`waiting for files in ${options.folder}`);
    while (!stopping.signal.aborted) {
      const waiting = await collector.collect(stopping.signal);
      if (once && waiting === 0) break;
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  },
  { isServer: true },
);
