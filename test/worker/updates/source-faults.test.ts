import { beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from './kills.ts';
import { BUILDS, createFaultCheck, FAULTS, MOVING, OVERLAPPING } from './source-faults.ts';
import { emptyArchive } from './world.ts';

const TIMEOUT_MS = 120_000;

beforeEach(emptyArchive);

describe('sync of a publisher with faults', () => {
  it.each(BUILDS)('ends in the same state after a fault of any request of build $versionTag', { timeout: TIMEOUT_MS }, async (build) => {
    const { countRequests, check } = await createFaultCheck();
    const requests = await countRequests(build);
    expect(requests).toBeGreaterThan(5);
    let stopped = 0;
    // Each request has a fault, and each fault is at some requests.
    for (let at = 1; at <= requests; at += 1) {
      stopped += await check({ builds: [build], fault: { kind: FAULTS[at % FAULTS.length] ?? 'fails', at } });
    }
    expect(stopped).toBeGreaterThan(requests / 2);
  });

  it('ends in the same state if a build is replaced at any request', { timeout: TIMEOUT_MS }, async () => {
    const { countRequests, check } = await createFaultCheck();
    const requests = await countRequests(SECOND);
    let stopped = 0;
    for (let at = 2; at <= requests + 1; at += 2) stopped += await check({ builds: [SECOND, MOVING], publishedAt: [at] });
    expect(stopped).toBeGreaterThan(3);
  });

  it('ends in the same state if three builds are published during a sync', { timeout: TIMEOUT_MS }, async () => {
    const { check } = await createFaultCheck();
    const builds = [SECOND, MOVING, OVERLAPPING];
    for (const publishedAt of [
      [2, 3],
      [3, 9],
      [4, 6],
      [8, 16],
    ]) {
      await check({ builds, publishedAt });
    }
  });
});
