import { describe, expect, it } from 'vitest';
import { initialState, readState, writeState } from '../../../../src/areas/portal/tools/frame/state.domain.ts';
import { STAT_KEYS, statsFields, viewStat, withAll, withAmount } from '../../../../src/areas/portal/tools/stats/stats-tool.domain.ts';

const example = initialState(statsFields);

describe('viewStat', () => {
  it.each(STAT_KEYS)('shows an example of %s that is neither empty nor complete', (stat) => {
    const { total, max, share, missing } = viewStat({ ...example, stat });
    expect(total > 0 && total < max && share > 0 && share < 1).toBe(true);
    expect(missing.length).toBeGreaterThan(0);
  });

  it.each(STAT_KEYS)('has nothing missing with everything of %s, also through a link', (stat) => {
    const state = { ...example, stat, ...withAll({ ...example, stat }, true) };
    const linked = readState(statsFields, writeState(statsFields, state));
    expect(linked.ignored).toEqual([]);
    expect(viewStat(linked.state)).toMatchObject({ share: 1, missing: [] });
  });

  it('keeps an empty list in a link, which is not the example', () => {
    const state = { ...example, ...withAll(example, false) };
    expect(viewStat(readState(statsFields, writeState(statsFields, state)).state).total).toBe(0);
  });

  it('changes the amounts of the shown stat only', () => {
    const changed = { ...example, ...withAmount(example, 4, 5) };
    expect(changed.light[4]).toBe(5);
    expect([changed.pr, changed.mf]).toEqual([example.pr, example.mf]);
  });
});
