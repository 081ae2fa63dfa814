import { describe, expect, it } from 'vitest';
import { luxion } from '../../../src/areas/rotations/luxion/luxion.resource.ts';
import {
  type LuxionRun,
  luxionAt,
  luxionEndsAt,
  luxionRules,
  luxionSchedule,
} from '../../../src/areas/rotations/schedules/luxion.domain.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

/** First seen on Tuesday 2026-07-21 15:06 UTC. */
const FIRST_SEEN = 1_784_646_360;
const WINDOWS = [1_784_685_600, 1_784_782_800, 1_784_880_000, 1_784_977_200, 1_785_074_400, 1_785_171_600, 1_785_268_800];
const END = 1_785_279_600;

const run = (changed: Partial<LuxionRun> = {}): LuxionRun => ({
  startedAt: 1_784_631_600,
  firstSeenAt: FIRST_SEEN,
  lastSeenAt: FIRST_SEEN,
  endedAt: null,
  ...changed,
});
const startsOf = (given: LuxionRun) => luxionSchedule(given, luxionRules).map((window) => window.starts_at);

describe('luxionSchedule', () => {
  it('has seven windows of three hours, 27 hours apart, from the first one after the first sighting', () => {
    expect(startsOf(run())).toEqual(WINDOWS);
    expect(luxionSchedule(run(), luxionRules).map((window) => window.ends_at - window.starts_at)).toEqual(WINDOWS.map(() => 10_800));
    expect(luxionEndsAt(run(), luxionRules)).toBe(END);
  });

  it('stops at a reported end', () => {
    const ended = run({ endedAt: 1_785_152_400 });
    expect(luxionEndsAt(ended, luxionRules)).toBe(1_785_152_400);
    expect(startsOf(ended)).toEqual(WINDOWS.slice(0, 5));
  });

  it('has no eighth window when a late sighting extends the run', () => {
    const late = run({ startedAt: 1_772_449_200, firstSeenAt: 1_772_463_960, lastSeenAt: 1_773_126_000 });
    expect(luxionEndsAt(late, luxionRules)).toBe(1_773_140_400);
    expect(startsOf(late)).toHaveLength(7);
    expect(luxionSchedule(late, luxionRules).at(-1)?.ends_at).toBe(1_773_129_600);
  });

  it('begins with a window that opens at the first sighting', () => {
    expect(startsOf(run({ firstSeenAt: 1_784_685_600 }))[0]).toBe(1_784_685_600);
    expect(startsOf(run({ firstSeenAt: 1_784_685_601 }))[0]).toBe(1_784_782_800);
  });
});

describe('luxionAt', () => {
  it('is empty before the first report', () => {
    expect(luxionAt(FIRST_SEEN, null, luxionRules)).toEqual({
      active: false,
      run: null,
      secondsRemaining: 0,
      currentWindow: null,
      nextWindow: null,
      schedule: [],
    });
  });

  it.each([
    ['before the first window', 1_784_649_600, { open: null, next: 1, seconds: 36_000 }],
    ['in the first window', 1_784_689_200, { open: 1, next: 2, seconds: 7200 }],
    ['between windows', 1_784_721_600, { open: null, next: 2, seconds: 61_200 }],
    ['in the last window', 1_785_268_800, { open: 7, next: null, seconds: 10_800 }],
  ])('counts down %s', (_title, now, { open, next, seconds }) => {
    const { active, currentWindow, nextWindow, secondsRemaining } = luxionAt(now, run(), luxionRules);
    expect([active, currentWindow?.position ?? null, nextWindow?.position ?? null, secondsRemaining]).toEqual([true, open, next, seconds]);
  });

  it('keeps the finished run without windows', () => {
    const luxion = luxionAt(END, run(), luxionRules);
    expect(luxion).toMatchObject({ active: false, secondsRemaining: 0, currentWindow: null, nextWindow: null });
    expect([luxion.run?.starts_at, luxion.run?.ends_at, luxion.schedule.length]).toEqual([FIRST_SEEN, END, 7]);
  });

  it('keeps a window open that was open when the run ended', () => {
    const ended = run({ endedAt: 1_784_686_000 });
    expect(luxionAt(1_784_689_200, ended, luxionRules)).toMatchObject({
      active: false,
      currentWindow: { position: 1 },
      secondsRemaining: 7200,
    });
  });
});

describe('signature of the stream', () => {
  const signature = async (now: number, given: LuxionRun | null) => {
    const runs = { luxion: async () => luxionAt(now, given, luxionRules), invalidateReads: () => {} };
    return luxion.event?.signature(await luxion.read({ now, settings: DEFAULT_SETTINGS, baseUrl: '' }, runs), now);
  };

  it('changes with the first report after each opening, not at the opening', async () => {
    expect(await signature(FIRST_SEEN, run())).toBe('1784646360');
    expect(await signature(1_784_686_000, run())).toBe('1784646360');
    expect(await signature(1_784_686_000, run({ lastSeenAt: 1_784_686_000 }))).toBe('1784646360:1784685600');
    expect(await signature(1_784_721_600, run({ lastSeenAt: 1_784_721_600 }))).toBe('1784646360:1784685600');
    expect(await signature(1_784_783_000, run({ lastSeenAt: 1_784_783_000 }))).toBe('1784646360:1784782800');
  });

  it('is null while no run is active', async () => {
    expect(await signature(END, run())).toBeNull();
    expect(await signature(END, null)).toBeNull();
  });
});
