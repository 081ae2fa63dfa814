import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../src/assets/live/sources.js';

describe('headlineOf', () => {
  it('names the players of 24 hours, the figure of the activity page', () => {
    expect(headlineOf('activity', { estimate: 67, estimate_24h: 1223 })).toBe('1,223 active within 24 hours');
    expect(headlineOf('activity', { estimate: 67, estimate_24h: null })).toBe('Not known yet');
  });

  it('is empty for an unknown type or body', () => {
    expect([headlineOf('unknown', {}), headlineOf('activity', null)]).toEqual(['', '']);
  });
});
