import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BuildParts, logicalFiles, makeBuild } from '../support/archive/build.ts';
import { fuzzArchives, fuzzTexts, mutated, sequence } from '../support/archive/fuzz.ts';
import { findViolations } from '../worker/updates/invariants.ts';
import { killEverywhere } from '../worker/updates/kills.ts';
import { emptyArchive, snapshot, sync, textsOf, treeAt } from '../worker/updates/world.ts';

const SEED = Number(env.FUZZ_SEED ?? 20_260_701);

beforeEach(emptyArchive);

describe('the update archive', () => {
  it('reads or rejects damaged files', async () => {
    const texts = fuzzTexts(50_000, SEED);
    const archives = await fuzzArchives(20_000, SEED);
    expect(Math.min(texts.accepted, texts.refused, archives.accepted, archives.refused)).toBeGreaterThan(1000);
  });

  it('reaches the same state after a crash at any step', () => killEverywhere(1));

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
