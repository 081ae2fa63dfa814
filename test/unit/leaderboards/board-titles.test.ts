import { describe, expect, it } from 'vitest';
import { KNOWN_BOARDS } from '../../../src/areas/leaderboards/boards/board-table.data.ts';
import { boardTitle, titleCase } from '../../../src/areas/leaderboards/boards/boards.domain.ts';

describe('boardTitle', () => {
  it('gives every board of the game a name of its own', () => {
    const titles = [...KNOWN_BOARDS.values()].map(boardTitle);
    expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([]);
    expect(titles).toContain('Knight, Power Rank');
    expect(titles).toContain('Knight, Effort');
  });

  it('writes no name in capitals', () => {
    for (const board of KNOWN_BOARDS.values()) expect(boardTitle(board)).toMatch(/\p{Ll}/u);
  });
});

describe('titleCase', () => {
  it.each([
    ['TROVE MASTERY POINTS', 'Trove Mastery Points'],
    ['WEEKLY CTF FLAGS CAPTURED', 'Weekly CTF Flags Captured'],
    ['FLAWLESS: DAUGHTER OF THE MOON ULTRA (WEEKLY)', 'Flawless: Daughter of the Moon Ultra (Weekly)'],
    ['Most CHALLENGING Delvers (RECENT)', 'Most CHALLENGING Delvers (RECENT)'],
  ])('writes %j as %j', (text, title) => {
    expect(titleCase(text)).toBe(title);
  });
});
