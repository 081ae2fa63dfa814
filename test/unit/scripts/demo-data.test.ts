import { describe, expect, it } from 'vitest';
import { dumpInstants } from '../../../scripts/demo/steps.ts';

const HOUR = 3600;
const NOW = 1_773_154_800 + 1234;

describe('dumpInstants', () => {
  it('includes captures exactly one day and one week before the newest one, which the activity windows need', () => {
    const instants = dumpInstants(NOW, 175);
    const newest = instants.at(-1) ?? 0;
    expect(newest).toBe(1_773_154_800);
    expect(instants).toContain(newest - 24 * HOUR);
    expect(instants).toContain(newest - 168 * HOUR);
    expect(instants.toSorted((one, other) => one - other)).toEqual(instants);
    expect(instants.length).toBeLessThan(30);
  });
});
