import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { createHttpBuildSource, sourceRoot } from '../../../src/areas/updates/sync/build-source.upstream.ts';
import { type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { BUILDS_PREFIX } from '../../support/upstreams/builds.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';
import { findViolations } from '../updates/invariants.ts';
import { emptyArchive, sync, textsOf, treeAt } from '../updates/world.ts';

/** 3 rounds, and 150 in `npm run test:long`. */
const ROUNDS = 3 * Number(env.FUZZ_SCALE ?? 1);
const SEED = env.FUZZ_SEED ?? 'hostile';
const MAX_ERROR_LENGTH = 600;
/** Builds without loose files: their hash is opaque, so another text of the same length is not noticed. */
const partsOf = (round: number): BuildParts => ({
  versionTag: `V-${round}`,
  packed: { d: [{ x: 'X', y: 'YY' }, { z: 'ZZZ' }], [`e${round}`]: [{ round: `${round} `.repeat(3000) }] },
});

beforeEach(emptyArchive);

it(`keeps the last good build of a hostile patch network, in ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
  const session = upstreamSession('builds');
  const root = sourceRoot(session.url, BUILDS_PREFIX);
  const publish = (round: number, hostile: string | null) => {
    const { pointer, manifest, files } = makeBuild(partsOf(round));
    const encoded = Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
    return session.order({ hostile, state: { pointer, manifest, files: encoded } });
  };
  const run = () => {
    const client = testUpstream();
    const source = createHttpBuildSource({ branch: 'live-us', root, userAgent: 'test', client, random: () => 0 });
    return sync(null, { wrap: (deps) => ({ ...deps, source }) });
  };

  await publish(0, null);
  let ordinal = (await run()).version?.ordinal ?? 0;
  let tree = textsOf(logicalFiles(partsOf(0)));
  let failed = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const seed = `${SEED} builds ${round}`;
    await publish(round, seed);
    const result = await run().catch((error: Error) => error);
    if (result instanceof Error) {
      failed += 1;
      expect(result.message.length, seed).toBeLessThan(MAX_ERROR_LENGTH);
    }
    expect(await treeAt(ordinal), seed).toEqual(tree);
    await publish(round, null);
    const { version } = await run();
    ordinal = version?.ordinal ?? (result instanceof Error ? 0 : (result.version?.ordinal ?? 0));
    tree = textsOf(logicalFiles(partsOf(round)));
    expect(await treeAt(ordinal), seed).toEqual(tree);
    expect(
      (await findViolations()).filter((line) => !line.endsWith('belongs to no file')),
      seed,
    ).toEqual([]);
  }
  expect(failed).toBeGreaterThan(0);
});
