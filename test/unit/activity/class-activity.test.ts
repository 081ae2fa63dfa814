import { describe, expect, it } from 'vitest';
import { activeSets, classFigure, classSeriesOf, cleanFilter, rankClasses } from '../../../src/areas/activity/class-activity.domain.ts';
import { CLASS_ORDER } from '../../../src/game/class-order.data.ts';
import { classByTechName } from '../../../src/game/classes.domain.ts';

/** Monday 2026-03-09 11:00 UTC. */
const MONDAY = 1_773_054_000;
const HOUR = 3600;
const THRESHOLDS = { powerRank: 25_000, effort: 50, xp: 2_000_000 };
const board = (scores: Record<string, number>) => ({ names: Object.keys(scores), scores: Object.values(scores) });
const xp = board({ A: 3_000_000, B: 3_000_000, C: 3_000_000, D: 3_000_000 });

describe('class activity figures', () => {
  it('count players, clean players and the effort gained in a day', () => {
    const knight = board({ A: 120, B: 40, C: 300 });
    const gunslinger = board({ A: 60, D: 70 });
    const figures = [
      classFigure(
        0,
        knight,
        cleanFilter({ effort: knight, powerRank: board({ A: 26_000, B: 30_000, C: 100 }), xp }, THRESHOLDS),
        board({ A: 100, C: 300 }),
      ),
      classFigure(1, gunslinger, cleanFilter({ effort: gunslinger, powerRank: board({ A: 25_000 }), xp }, THRESHOLDS), board({})),
      classFigure(2, board({}), null, null),
    ];
    const { classes, totals } = rankClasses(figures);
    expect(classes).toEqual([
      { classIndex: 0, players: 3, share: 0.6, cleanPlayers: 1, cleanShare: 0.5, effortAdded: 20, cleanEffortAdded: 20 },
      { classIndex: 1, players: 2, share: 0.4, cleanPlayers: 1, cleanShare: 0.5, effortAdded: 0, cleanEffortAdded: 0 },
    ]);
    expect(totals).toEqual({ players: 5, cleanPlayers: 2, effortAdded: 20, cleanEffortAdded: 20 });
  });

  it('have null clean values without the power rank board, and ignore the threshold if the experience board is missing', () => {
    const effort = board({ A: 60 });
    expect(cleanFilter({ effort, powerRank: null, xp }, THRESHOLDS)).toBeNull();
    expect(cleanFilter({ effort, powerRank: board({ A: 25_000 }), xp: null }, THRESHOLDS)?.('A')).toBe(true);
    expect(cleanFilter({ effort, powerRank: board({}), xp }, THRESHOLDS)?.('A')).toBe(false);
    expect(cleanFilter({ effort, powerRank: null, xp: null }, { powerRank: 0, effort: 0, xp: 0 })?.('A')).toBe(true);
  });

  it('sum known values and sort classes with null clean values last', () => {
    const known = { classIndex: 3, players: 1, cleanPlayers: 1, effortAdded: null, cleanEffortAdded: null };
    const unknown = { ...known, classIndex: 0, players: 9, cleanPlayers: null };
    const { classes, totals } = rankClasses([unknown, known]);
    expect(classes.map(({ classIndex, cleanShare }) => [classIndex, cleanShare])).toEqual([
      [3, 1],
      [0, null],
    ]);
    expect(totals).toEqual({ players: 10, cleanPlayers: 1, effortAdded: null, cleanEffortAdded: null });
    expect(rankClasses([unknown]).totals.cleanPlayers).toBeNull();
    expect(rankClasses([]).totals).toEqual({ players: 0, cleanPlayers: null, effortAdded: null, cleanEffortAdded: null });
  });

  it('include all 18 classes', () => {
    expect(CLASS_ORDER.map((techName) => classByTechName(techName)?.tech_name)).toEqual([...CLASS_ORDER]);
    expect(CLASS_ORDER).toHaveLength(18);
  });
});

describe('activeSets', () => {
  const rows = { earlier: board({ a: 5, b: 5, c: 2 }), later: board({ a: 6, b: 5, d: 3, e: 1 }) };

  it('returns players whose score rose or who entered above the lowest score', () => {
    const { active, clean } = activeSets({ start: MONDAY, end: MONDAY + HOUR }, rows, (name) => name === 'd');
    expect([[...(active ?? [])], [...(clean ?? [])]]).toEqual([['a', 'd'], ['d']]);
    expect(activeSets({ start: MONDAY, end: MONDAY + HOUR }, rows, null).clean).toBeNull();
    expect(activeSets({ start: MONDAY, end: MONDAY + HOUR }, { earlier: null, later: rows.later }, null).active?.size).toBe(0);
  });

  it('returns empty sets across the weekly reset, and null if the window is longer than two hours', () => {
    const at = (start: number, end: number) => activeSets({ start, end }, rows, () => true).active?.size ?? null;
    expect(at(MONDAY - HOUR, MONDAY + HOUR)).toBe(0);
    expect(at(MONDAY - HOUR, MONDAY)).toBe(0);
    expect(at(MONDAY - 3 * HOUR, MONDAY)).toBeNull();
    expect(at(MONDAY, MONDAY + 3 * HOUR)).toBe(2);
  });
});

describe('classSeriesOf', () => {
  const values = (active: number | null, clean: number | null = null) => ({
    active: CLASS_ORDER.map((_, index) => (index === 0 ? active : null)),
    clean: CLASS_ORDER.map((_, index) => (index === 0 ? clean : null)),
  });

  it('returns means in shared buckets, and the maximum in its bucket', () => {
    const samples = [
      [0, values(10, 1)],
      [1, values(21, null)],
      [7, values(90, 3)],
      [8, values(50, 3)],
      [13, values(null)],
      [14, values(1, 2)],
    ].map(([hour, own]) => ({ at: (hour as number) * HOUR, values: own as ReturnType<typeof values> }));
    const { bucketSeconds, buckets, classes } = classSeriesOf(samples, 6 * HOUR);
    expect([bucketSeconds, buckets]).toEqual([6 * HOUR, [HOUR / 2, 7.5 * HOUR, 13.5 * HOUR]]);
    expect(classes).toHaveLength(18);
    expect(classes[0]).toEqual({ active: [15.5, 90, 1], clean: [1, 3, 2] });
    expect(classes[1]).toEqual({ active: [null, null, null], clean: [null, null, null] });
    expect(classSeriesOf([], 6 * HOUR)).toMatchObject({ buckets: [], bucketSeconds: 6 * HOUR });
  });
});
