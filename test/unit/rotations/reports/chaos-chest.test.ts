import { describe, expect, it } from 'vitest';
import {
  type ChaosChestCapture,
  type ChaosChestRelay,
  chaosChestAt,
  chaosChestNextChangeAt,
  chaosChestWeekAt,
  chaosChestWeekEndsAt,
  featuredChaosChestAt,
} from '../../../../src/areas/rotations/schedules/reports.domain.ts';
import { chaosChestWeek } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const week = 604_800;
const start = 1_773_140_400; // Tuesday 2026-03-10 11:00:00 UTC
const now = start + 100_000;

const capture: ChaosChestCapture = { weekAnchorAt: start, name: 'Captured Wings', capturedAt: start + 60 };
const relayedItem = { name: 'Relayed Mount', identifier: 'collections/mount/relayed', blueprint: 'c_mt_relayed' };
const relay: ChaosChestRelay = { ...relayedItem, startsAt: start + 10, endsAt: start + week - 10, fetchedAt: start + 1800 };
const featured = (at: number, withCapture: ChaosChestCapture | null, withRelay: ChaosChestRelay | null) =>
  featuredChaosChestAt(at, withCapture, withRelay, chaosChestWeek);
const emptyWeek = { starts_at: start, ends_at: start + week, item: null };
const emptyChest = { ...emptyWeek, fetchedAt: null };

describe('chaos chest week', () => {
  it.each([
    [start - 1, start - week],
    [start, start],
    [start + 1, start],
    [start + week - 1, start],
    [start + week, start + week],
  ])('starts at $1 for the time $0', (at, startsAt) => {
    expect(chaosChestWeekAt(at, chaosChestWeek)).toEqual({ starts_at: startsAt, ends_at: startsAt + week });
    expect(chaosChestWeekEndsAt(startsAt, chaosChestWeek)).toBe(startsAt + week);
  });

  it('starts on a Tuesday, also before the anchor', () => {
    expect(new Date(chaosChestWeekAt(-1, chaosChestWeek).starts_at * 1000).toUTCString()).toMatch(/^Tue.*11:00:00 GMT$/);
  });
});

describe('featuredChaosChestAt', () => {
  it('returns no item without capture and relay', () => {
    expect(featured(now, null, null)).toEqual(emptyChest);
  });

  it('prefers the capture of this week with the computed window', () => {
    expect(featured(now, capture, relay)).toEqual({
      starts_at: start,
      ends_at: start + week,
      item: { name: 'Captured Wings', identifier: null, blueprint: null },
      fetchedAt: start + 60,
    });
  });

  it.each([start - week, start + week])('ignores the capture of another week (%i)', (weekAnchorAt) => {
    expect(featured(now, { ...capture, weekAnchorAt }, null)).toEqual(emptyChest);
    expect(featured(now, { ...capture, weekAnchorAt }, relay).item?.name).toBe('Relayed Mount');
  });

  it('falls back to the relayed item with its own window', () => {
    expect(featured(now, null, relay)).toEqual({
      starts_at: start + 10,
      ends_at: start + week - 10,
      item: relayedItem,
      fetchedAt: start + 1800,
    });
  });

  it.each([null, 0])('uses the computed start when the relayed one is %s', (startsAt) => {
    expect(featured(now, null, { ...relay, startsAt })).toMatchObject({ starts_at: start, ends_at: start + week - 10 });
  });

  it('ignores a relayed item after its end', () => {
    expect(featured(now, null, { ...relay, endsAt: now + 1 }).item).not.toBeNull();
    expect(featured(now, null, { ...relay, endsAt: now })).toEqual(emptyChest);
    expect(featured(now, null, { ...relay, endsAt: 0 })).toEqual(emptyChest);
  });

  it('ignores a relayed item without a name', () => {
    expect(featured(now, null, { ...relay, name: '' })).toEqual(emptyChest);
  });

  it.each([
    [start - 1, false],
    [start, true],
    [now, true],
    [start + week, false],
  ])('accepts a relayed item without an end only if it was fetched this week (%i: %s)', (fetchedAt, accepted) => {
    const result = featured(now, null, { ...relay, endsAt: null, fetchedAt });
    expect(result.item !== null).toBe(accepted);
    expect(result.ends_at).toBe(start + week);
  });
});

describe('chaosChestAt', () => {
  it('is active for the computed week and counts down to its end', () => {
    for (const second of [0, 1, week - 1]) {
      expect(chaosChestAt(start + second, featured(start + second, null, null), null)).toEqual({
        ...emptyWeek,
        fetched_at: null,
        active: true,
        seconds_remaining: week - second,
      });
    }
  });

  it('is inactive before the start of a relayed item and counts down to its end', () => {
    const early = featured(start + 5, null, relay);
    expect(chaosChestAt(start + 5, early, null)).toMatchObject({ active: false, seconds_remaining: week - 15 });
    expect(chaosChestAt(start + 10, early, null)).toMatchObject({ active: true, seconds_remaining: week - 20 });
  });

  it('never counts below zero', () => {
    expect(chaosChestAt(now + week, featured(now, null, null), null)).toMatchObject({ active: false, seconds_remaining: 0 });
  });

  it('uses the blueprint of the relay, otherwise that of the codex', () => {
    const art = 'from_codex';
    const unknownToRelay = featured(now, null, { ...relay, blueprint: null });
    expect(chaosChestAt(now, featured(now, null, relay), art).item).toEqual(relayedItem);
    expect(chaosChestAt(now, unknownToRelay, art).item?.blueprint).toBe('from_codex');
    expect(chaosChestAt(now, featured(now, capture, null), art).item?.blueprint).toBe('from_codex');
    expect(chaosChestAt(now, featured(now, capture, null), null).item).toMatchObject({ blueprint: null });
    expect(chaosChestAt(now, featured(now, null, null), art).item).toBeNull();
  });

  it('changes at an edge of the window or of the week', () => {
    const next = (at: number, withRelay: ChaosChestRelay | null) =>
      chaosChestNextChangeAt(at, featured(at, null, withRelay), chaosChestWeek);
    expect(next(now, null)).toBe(start + week);
    expect(next(start + week - 1, null)).toBe(start + week);
    expect(next(start + week, null)).toBe(start + 2 * week);
    expect(next(start + 5, relay)).toBe(start + 10);
    expect(next(now, relay)).toBe(start + week - 10);
    expect(next(now, { ...relay, endsAt: start + 2 * week })).toBe(start + week);
  });
});
