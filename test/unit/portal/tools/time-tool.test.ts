import { describe, expect, it } from 'vitest';
import { distanceText, instantOf, localFieldText, viewTime } from '../../../../src/areas/portal/tools/time/time-tool.domain.ts';

const PARIS = { id: 'Europe/Paris', name: 'Paris' };
/** Friday 2026-06-05 11:00 UTC: a daily reset. */
const RESET = 1_780_657_200;

describe('viewTime', () => {
  it('shows the game day that starts at the reset, and the next resets', () => {
    const { gameDay, resets, clocks } = viewTime(RESET, PARIS, 'weekly');
    expect(gameDay).toBe('Friday');
    expect(clocks.find(({ id }) => id === 'game')?.time).toBe('00:00:00');
    expect(resets).toEqual([
      { name: 'Daily reset', at: RESET + 86_400 },
      { name: 'Weekly reset', at: RESET + 3 * 86_400 },
    ]);
  });

  it('puts a zone that the service does not list first', () => {
    expect(viewTime(RESET, { id: 'Asia/Kolkata', name: 'Kolkata' }, 'weekly').clocks[0]).toMatchObject({
      name: 'Kolkata',
      time: '16:30:00',
    });
    expect(viewTime(RESET, PARIS, 'weekly').clocks.filter(({ id }) => id === PARIS.id)).toHaveLength(1);
  });

  it('lists what happens next in the order of time', () => {
    const { upcoming } = viewTime(RESET, PARIS, 'weekly');
    const next = upcoming.map(({ isOpen, window }) => (isOpen ? window.ends_at : window.starts_at));
    expect(next).toEqual(next.toSorted((one, other) => one - other));
    expect(next.every((at) => at > RESET)).toBe(true);
  });

  it('follows the setting of Stampy', () => {
    const windowOf = (period: 'weekly' | 'fortnightly') =>
      viewTime(RESET, PARIS, period).upcoming.find(({ name }) => name === 'Stampy')?.window;
    expect(windowOf('weekly')).not.toEqual(windowOf('fortnightly'));
  });
});

describe('instantOf and localFieldText', () => {
  it('are the reverse of each other', () => {
    expect(instantOf('2026-06-05T13:00', 'Europe/Paris')).toBe(RESET);
    expect(localFieldText(RESET, PARIS)).toBe('2026-06-05T13:00');
    expect(instantOf('2026-06-05T00:00', 'game')).toBe(RESET);
  });

  it.each(['', '2026-02-30T10:00', 'tomorrow'])('read %j as no time', (text) => {
    expect(instantOf(text, 'UTC')).toBeNull();
  });
});

describe('distanceText', () => {
  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, 'in 1 min'],
    [3 * 3600 + 120, 'in 3 h 2 min'],
    [2 * 86_400 + 3600 + 60, 'in 2 d 1 h'],
    [-90, '1 min ago'],
    [-86_400, '1 d ago'],
  ])('writes %i seconds as %s', (seconds, text) => {
    expect(distanceText(RESET, RESET + seconds)).toBe(text);
  });
});
