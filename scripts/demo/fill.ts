import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openArchive } from '../lib/archive/bindings.ts';
import { DEMO_GAME_STEPS, GAME_STEP, readDemoMark, writeDemoMark } from '../lib/dev/demo-mark.ts';
import { readDevFile } from '../lib/dev/dev-file.ts';
import { toGameFolders } from '../lib/dev/start-options.ts';
import { runMain, UserError } from '../lib/main.ts';
import { DEV_FILE, LOCAL_STATE } from '../lib/paths.ts';
import { reasonOf } from '../lib/steps.ts';
import { storeGames } from './games.ts';
import { DEMO_SIZE, fillDemo, reportHours } from './steps.ts';

const HOUR_MS = 3_600_000;
/** Delay after the full hour, when the challenge of the hour is known. */
const REPORT_DELAY_MS = 20_000;

/**
 * Started by `npm start` next to its server: `--serving <URL> --key <KEY>`. Stores the folders of `--game`, fills an empty database, then
 * sends reports every hour until the server ends. A later start continues after the last completed step.
 */
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      serving: { type: 'string' },
      key: { type: 'string' },
      'no-demo': { type: 'boolean' },
      game: { type: 'string', multiple: true },
    },
  });
  const server = readDevFile(DEV_FILE);
  if (!server || !values.serving) throw new UserError('This script is started by npm start.');
  const archive = await openArchive({ isRemote: false, state: LOCAL_STATE, served: { url: values.serving, key: values.key ?? '' } });
  try {
    const world = { server: { ...server, base_url: values.serving }, state: archive, ...DEMO_SIZE };
    let steps = readDemoMark()?.steps ?? [];
    const note = (...names: string[]) => {
      steps = [...steps, ...names.filter((name) => !steps.includes(name))];
      writeDemoMark({ state: 'begun', steps });
    };
    const games = toGameFolders(values.game ?? []);
    if (games.length > 0) {
      if (!values['no-demo']) note(GAME_STEP, ...DEMO_GAME_STEPS);
      await storeGames(world, games);
    }
    if (values['no-demo']) return;
    await fillDemo(world, steps, note);
    writeDemoMark({ state: 'done', steps });
    // On every start, because the banner announces it.
    console.log('Demo data is complete.');
    for (;;) {
      await sleep(HOUR_MS - (Date.now() % HOUR_MS) + REPORT_DELAY_MS);
      await reportHours(world);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`Demo data: ${reasonOf(error)}. The next start continues from here.`);
  } finally {
    await archive.dispose();
  }
});
