import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_MANIFEST_BYTES } from '../../src/areas/updates/sync/engine/limits.data.ts';
import { type BuildParts, logicalFiles, makeBuild } from '../support/archive/build.ts';
import { fuzzArchives, fuzzTexts, mutated, sequence } from '../support/archive/fuzz.ts';
import { findViolations } from '../worker/updates/invariants.ts';
import { killEverywhere } from '../worker/updates/kills.ts';
import { BUILDS, createFaultCheck, FAULTS } from '../worker/updates/source-faults.ts';
import { emptyArchive, rows, snapshot, sync, textsOf, treeAt } from '../worker/updates/world.ts';

const SEED = Number(env.FUZZ_SEED ?? 20_260_701);

beforeEach(emptyArchive);

describe('the update archive', () => {
  it('reads or rejects damaged files', async () => {
    const texts = fuzzTexts(50_000, SEED);
    const archives = await fuzzArchives(20_000, SEED);
    expect(Math.min(texts.accepted, texts.refused, archives.accepted, archives.refused)).toBeGreaterThan(1000);
  });

  it('reaches the same state after a crash at any step', () => killEverywhere(1));

  it('ends in the same state after any fault of any request', async () => {
    const { countRequests, check } = await createFaultCheck();
    for (const build of BUILDS) {
      const requests = await countRequests(build);
      for (const kind of FAULTS) for (let at = 1; at <= requests; at += 1) await check({ builds: [build], fault: { kind, at } });
    }
  });

  it(`ends in the same state if builds are published during a sync with a fault (seed ${SEED})`, async () => {
    const next = sequence(SEED);
    const { check } = await createFaultCheck();
    for (let run = 0; run < 60; run += 1) {
      const first = 1 + next(24);
      const second = first + 1 + next(24);
      const builds = [...BUILDS].sort(() => next(3) - 1);
      const fault = { kind: FAULTS[next(FAULTS.length)] ?? 'fails', at: 1 + next(40) };
      await check({ builds, publishedAt: [first, second], fault });
    }
  });

  it('plans a manifest of 300,000 lines, and ends in the same state as without it', async () => {
    const parts: BuildParts = { versionTag: 'V-1', loose: { a: 'A', b: 'B' }, packed: { d: [{ x: 'X' }] } };
    await sync(makeBuild(parts));
    const restore = await snapshot();
    const last = makeBuild({ ...parts, versionTag: 'V-3', loose: { a: 'AA' } });
    await sync(last);
    const expected = await treeAt(2);
    await restore();
    const lines = Array.from({ length: 300_000 }, (_, line) => `p/${line}:${line.toString(16).padStart(32, '0')}:1`);
    const manifest = [`version V-2`, ...lines, ''].join('\n');
    expect(manifest.length).toBeLessThan(MAX_MANIFEST_BYTES);
    const huge = { ...makeBuild({ versionTag: 'V-2' }), manifest };
    await expect(sync(huge)).rejects.toThrow('no longer exists');
    // Each file, the directory that is gone, and the loose files that are gone.
    expect(await rows('SELECT count(*) AS n FROM archive_work')).toEqual([{ n: 300_000 + 2 - 1 }]);
    await sync(last);
    expect(await treeAt(2)).toEqual(expected);
    expect(await findViolations()).toEqual([]);
  });

  it('keeps serving the previous version during a damaged build and serves the next valid one', async () => {
    const next = sequence(SEED);
    const parts: Omit<BuildParts, 'versionTag'> = { loose: { a: 'A' }, packed: { d: [{ x: 'X', y: 'YY' }, { z: 'ZZZ' }] } };
    const first = makeBuild({ ...parts, versionTag: 'V-1', loose: { b: 'B' } });
    const valid = makeBuild({ ...parts, versionTag: 'V-2' });
    await sync(first);
    const restore = await snapshot();
    const before = await treeAt(1);
    const packed = [...valid.files].filter(([path]) => path.startsWith('d/'));
    for (let run = 0; run < 300; run += 1) {
      await restore();
      const [path, bytes] = packed[next(packed.length)] ?? ['', new Uint8Array(0)];
      const damaged = makeBuild({ ...parts, versionTag: 'V-D', override: { [path]: mutated(bytes, next) } });
      const result = await sync(damaged).catch(() => null);
      if (!result?.version) expect(await treeAt(1)).toEqual(before);
      const { version } = await sync(makeBuild({ ...parts, versionTag: 'V-3' }));
      expect(await treeAt(version?.ordinal ?? result?.version?.ordinal ?? 0)).toEqual(textsOf(logicalFiles(parts)));
      expect((await findViolations()).filter((line) => !line.endsWith('belongs to no file'))).toEqual([]);
    }
  });
});
