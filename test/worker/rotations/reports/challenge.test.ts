import { describe, expect, it } from 'vitest';
import { createReportsService } from '../../../../src/areas/rotations/reports/reports.service.ts';
import type { ReportsStore } from '../../../../src/areas/rotations/reports/reports.store.ts';
import { call } from '../../../support/requests.ts';
import { report } from '../reports.ts';

const at = (iso: string) => Date.parse(iso) / 1000;
const current = async (iso: string) => JSON.parse((await call('/v1/rotations/challenge/current', { now: at(iso) })).text);

const unnamed = { name: null, type: null, captured_at: null };

describe('GET /v1/rotations/challenge/current', () => {
  // Days without reports of other test files, because the service caches windows in memory.
  it.each([
    ['in its window', '2026-06-09T15:00:00Z', '2026-06-09T15:00:00Z', true, false, 1200],
    ['in the last second', '2026-06-09T15:19:59Z', '2026-06-09T15:00:00Z', true, false, 1],
    ['in the gap', '2026-06-09T15:20:00Z', '2026-06-09T15:00:00Z', false, false, 0],
    ['at the end of the gap', '2026-06-09T15:59:59Z', '2026-06-09T15:00:00Z', false, false, 0],
    ['on Friday before the game day', '2026-06-12T10:45:00Z', '2026-06-12T10:00:00Z', false, false, 0],
    ['as the Friday begins', '2026-06-12T11:00:00Z', '2026-06-12T11:00:00Z', true, true, 1200],
    ['in a second window of the hour', '2026-06-12T11:35:00Z', '2026-06-12T11:30:00Z', true, true, 900],
    ['after midnight of the Friday', '2026-06-13T00:55:00Z', '2026-06-13T00:30:00Z', false, true, 0],
    ['in the last gap of the Friday', '2026-06-13T10:55:00Z', '2026-06-13T10:30:00Z', false, true, 0],
    ['as the Saturday begins', '2026-06-13T11:00:00Z', '2026-06-13T11:00:00Z', true, false, 1200],
    ['in the gap where Friday had a window', '2026-06-13T11:30:00Z', '2026-06-13T11:00:00Z', false, false, 0],
  ])('%s', async (_, now, start, active, isFriday, remaining) => {
    expect(await current(now)).toEqual({
      starts_at: at(start),
      ends_at: at(start) + 1200,
      active,
      is_friday_window: isFriday,
      seconds_remaining: remaining,
      ...unnamed,
    });
  });

  it('returns a report in the gap after its window but not in the next one', async () => {
    await report('challenge', 'RAMPAGE ALERT!', { now: at('2026-03-16T09:05:00Z') });
    const shown = { name: 'RAMPAGE ALERT!', type: 'rampage', captured_at: '2026-03-16T09:05:00.000Z' };
    expect(await current('2026-03-16T09:10:00Z')).toMatchObject({ active: true, ...shown });
    expect(await current('2026-03-16T09:59:59Z')).toMatchObject({ active: false, ...shown });
    expect(await current('2026-03-16T10:00:00Z')).toMatchObject(unnamed);
  });

  it('assigns a report in the gap to the previous window', async () => {
    const response = await report('challenge', 'Late', { now: at('2026-03-17T09:45:00Z') });
    expect(JSON.parse(response.text).anchor).toBe(at('2026-03-17T09:00:00Z'));
    expect(await current('2026-03-17T09:50:00Z')).toMatchObject({ name: 'Late', type: 'dungeon' });
  });

  it('returns the two windows of a Friday hour separately and marks them', async () => {
    await report('challenge', 'First half', { now: at('2026-03-20T12:25:00Z') });
    expect(await current('2026-03-20T12:29:59Z')).toMatchObject({ name: 'First half', is_friday_window: true });
    expect(await current('2026-03-20T12:30:00Z')).toMatchObject(unnamed);
    await report('challenge', 'Second half', { now: at('2026-03-20T12:55:00Z') });
    const { items } = JSON.parse((await call('/v1/rotations/challenge/history?limit=2')).text);
    expect(items.map((item: Record<string, unknown>) => [item.name, item.window_anchor, item.is_friday_window])).toEqual([
      ['Second half', at('2026-03-20T12:30:00Z'), true],
      ['First half', at('2026-03-20T12:00:00Z'), true],
    ]);
  });
});

describe('read concurrent with a report', () => {
  it('is not cached', async () => {
    const now = at('2026-03-18T09:05:00Z');
    const table: { name: string | null; answer: (() => void) | null } = { name: null, answer: null };
    const reports: Partial<ReportsStore> = {
      async findChallenge(windowAnchorAt) {
        const { name } = table;
        if (name === null) await new Promise<void>((resolve) => (table.answer = resolve));
        return name === null ? null : { windowAnchorAt, name, capturedAt: now };
      },
      async saveChallenge({ name }) {
        table.name = name;
        return { refreshed: false, changed: true };
      },
    };
    const service = createReportsService({
      reports: reports as ReportsStore,
      itemBlueprints: async () => new Map(),
      loadItemBlueprints: async () => {},
      onReport: async () => {},
    });
    const early = service.challenge(now);
    await service.insertChallenge('Reported', now);
    table.answer?.();
    expect((await early).name).toBeNull();
    expect((await service.challenge(now)).name).toBe('Reported');
  });
});
