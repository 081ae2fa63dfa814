import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeProblem,
  createSeed,
  drawWinner,
  type Giveaway,
  publicName,
  termsProblem,
} from '../../../src/areas/giveaways/giveaways.domain.ts';
import { giveawaysStreamSignature } from '../../../src/areas/giveaways/giveaways.schemas.ts';
import { recomputedDraw } from './recompute.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `${(index * 2654435761) % 2 ** 32}`.padStart(10, '0'));

describe('drawWinner', () => {
  it('returns null without entries', () => {
    expect(drawWinner('00', [])).toBeNull();
  });

  it('matches the documented algorithm regardless of entry order', async () => {
    const cases = fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.array(fc.uuid(), { minLength: 1, maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([bytes, entries]) => {
        const { seed, seedHash } = createSeed(() => bytes);
        const expected = await recomputedDraw(seed, entries);
        expect(seed).toMatch(/^[0-9a-f]{64}$/);
        expect(drawWinner(seed, entries)).toMatchObject({ entriesHash: expected.entriesHash, winnerEntryId: expected.winnerEntryId });
        expect(drawWinner(seed, entries.toReversed())).toEqual(drawWinner(seed, entries));
        expect(seedHash).toBe(expected.seedHash);
      }),
      { numRuns: 60, seed: 8 },
    );
  });

  it('is uniform', () => {
    const entries = ids(10);
    const wins = new Map<string, number>();
    for (let round = 0; round < 5000; round += 1) {
      const winner = drawWinner(`seed ${round}`, entries)?.winnerEntryId ?? '';
      wins.set(winner, (wins.get(winner) ?? 0) + 1);
    }
    // Chi-square with 9 degrees of freedom exceeds 27.9 with probability 0.001.
    const square = [...wins.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
    expect(wins.size).toBe(10);
    expect(square).toBeLessThan(27.9);
  });
});

describe('changeProblem, termsProblem and publicName', () => {
  it.each<[string, string[], boolean]>([
    ['scheduled', ['title', 'prizeCode', 'startsAt'], true],
    ['open', ['title', 'description', 'endsAt'], true],
    ['open', ['prizeName'], false],
    ['open', ['title', 'startsAt'], false],
    ['drawn', ['title'], false],
    ['closed', [], false],
    ['cancelled', ['title'], false],
  ])('allows a change of $1 in a $0 giveaway: $2', (status, fields, may) => {
    expect(changeProblem(status as 'open', fields) === null).toBe(may);
  });

  it('requires an end after the start and in the future', () => {
    expect(termsProblem({ startsAt: 10, endsAt: 11 }, 5)).toBeNull();
    expect(termsProblem({ startsAt: 10, endsAt: 10 }, 5)).not.toBeNull();
    expect(termsProblem({ startsAt: 10, endsAt: 11 }, 11)).not.toBeNull();
  });

  it.each([
    ['Zoe', 'x@example.com', 'Zoe'],
    [' ', 'xavier@example.com', 'x***'],
    [null, 'éva@example.com', 'é***'],
    [null, '', '***'],
  ])('publishes %j of %s as %s', (displayName, email, name) => {
    expect(publicName(displayName, email)).toBe(name);
  });
});

describe('giveawaysStreamSignature', () => {
  const giveaway: Giveaway = {
    id: 'a',
    title: 'Spring',
    description: null,
    prizeName: 'Egg',
    prizeCode: 'CODE',
    startsAt: 1,
    endsAt: 9,
    createdAt: 1,
    status: 'open',
    entryCount: 0,
    winnerUserId: null,
    winnerName: null,
    seedHash: null,
    seed: null,
    entriesHash: null,
    winnerEntryId: null,
    revision: 0,
  };
  const signature = (change: Partial<Giveaway>) => giveawaysStreamSignature([{ ...giveaway, ...change }]);

  it.each<Partial<Giveaway>>([{ title: 'Autumn' }, { description: 'text' }, { prizeName: 'Sword' }, { endsAt: 10 }, { id: 'b' }])(
    'changes with the published terms of an open giveaway: %j',
    (change) => {
      expect(signature(change)).not.toBe(signature({}));
    },
  );

  it('does not change with entries or the prize code', () => {
    expect(signature({ entryCount: 5, prizeCode: 'OTHER' })).toBe(signature({}));
  });

  it('is empty without an open giveaway', () => {
    expect(giveawaysStreamSignature([])).toBe('');
  });
});
