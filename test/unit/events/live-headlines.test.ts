import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../src/assets/live/sources.js';
import { EVENTS } from '../../support/declarations.ts';

describe('headlineOf', () => {
  it('names the players of 24 hours, the figure of the activity page', () => {
    expect(headlineOf('activity', { estimate: 67, estimate_24h: 1223 })).toBe('1,223 active within 24 hours');
    expect(headlineOf('activity', { estimate: 67, estimate_24h: null })).toBe('Not known yet');
  });

  it.each(EVENTS.all.map(({ type, sample }) => ({ type, sample })))('has a line about an event of the type $type', ({ type, sample }) => {
    expect(headlineOf(type, sample(1_773_156_600))).not.toBe('');
  });

  it('names what is current, or whether it is there, for a type without a line of its own', () => {
    const lineOf = (body: unknown) => headlineOf('unknown', body);
    expect(lineOf({ current: { name: 'Bonus XP', weekday: 'Tuesday' }, rotation: [] })).toBe('Bonus XP');
    expect([lineOf({ title: 'Maintenance' }), lineOf({ name: 'Moon' })]).toEqual(['Maintenance', 'Moon']);
    expect([lineOf({ active: true }), lineOf({ active: false })]).toEqual(['Here', 'Away']);
  });

  it('is empty for an unknown type or body', () => {
    expect([headlineOf('unknown', {}), headlineOf('activity', null)]).toEqual(['', '']);
  });
});
