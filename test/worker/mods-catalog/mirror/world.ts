import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { inspectArtifact } from '../../../../src/areas/mods/artifacts.service.ts';
import { MirrorRun } from '../../../../src/areas/mods-catalog/mirror/mirror.service.ts';
import { MirrorQueue } from '../../../../src/areas/mods-catalog/mirror/mirror.store.ts';
import { createMirrorParts } from '../../../../src/areas/mods-catalog/mirror/mirror-parts.service.ts';
import { createContentStore } from '../../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../../support/declarations.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testUpstream } from '../../../support/upstreams/test-upstream.ts';

export const NOW = 1_780_000_000;
let worlds = 0;

/** A mirror with its own upstream stub and its own object storage. */
export function world() {
  worlds += 1;
  const session = upstreamSession('mods-catalog');
  const db = createDatabase(env.DB);
  const object = env.MODS_MIRROR.getByName(`test-${worlds}`);
  const switches = { modsMirrorEnabled: true };
  const parts = createMirrorParts({
    db,
    store: createContentStore(env.ARCHIVE),
    inspect: inspectArtifact,
    upstream: testUpstream(),
    settings: { current: () => ({ ...DEFAULT_SETTINGS, ...switches }), invalidate: () => {} },
    mirrorUrl: session.vars.MODS_MIRROR_URL ?? '',
    newId: () => crypto.randomUUID(),
  });
  const within = <Result>(work: (run: MirrorRun) => Promise<Result>) =>
    runInDurableObject(object, (_, state) => work(new MirrorRun(new MirrorQueue(state.storage), parts)));
  const begin = () => within((run) => run.start());
  /** Runs one step with a new object, without state in memory. */
  const step = (now = NOW) => within((run) => run.step(now));
  return {
    session,
    switches,
    begin,
    step,
    /** Runs all steps. Returns the pause after each step in milliseconds. */
    async run(now = NOW): Promise<number[]> {
      await begin();
      const pauses: number[] = [];
      for (let pause = await step(now); pause !== null; pause = await step(now)) pauses.push(pause);
      return pauses;
    },
  };
}
