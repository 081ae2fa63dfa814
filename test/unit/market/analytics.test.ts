import { describe, expect, it } from 'vitest';
import type { ActiveItem, Liquidity, PriceMove } from '../../../src/areas/market/analytics.domain.ts';
import { changeOf, daysOfStock, discountOf, splitMoves, splitNames } from '../../../src/areas/market/prices.domain.ts';

describe('splitNames', () => {
  const names = ['Sun Sap', 'Crown, Golden', 'Egg, Large, Blue, Rare'];
  const find = (name: string) => names.find((known) => known.toLowerCase() === name.trim().toLowerCase());

  it.each([
    ['sun sap,Nothing', ['Sun Sap'], ['Nothing']],
    ['crown, golden,Sun Sap', ['Crown, Golden', 'Sun Sap'], []],
    ['Egg, Large, Blue, Rare,Sun Sap', ['Egg, Large, Blue, Rare', 'Sun Sap'], []],
    ['Egg, Large, Blue', [], ['Egg', 'Large', 'Blue']],
    ['Sun Sap,,sun sap, ', ['Sun Sap'], []],
  ])('reads "%s"', (text, found, missing) => {
    expect(splitNames(text, find)).toEqual({ names: found, missing });
  });

  it('does not read the parts of a found name again', () => {
    const known = ['Crown, Golden', 'Golden'];
    expect(splitNames('Crown, Golden', (name) => known.find((one) => one === name.trim())).names).toEqual(['Crown, Golden']);
  });
});

describe('figures of the market', () => {
  const move = (name: string, priorMilli: number, recentMilli: number) => ({ name, priorMilli, recentMilli }) as PriceMove;
  const stock = (totalStack: number) => ({ totalStack }) as ActiveItem;
  const sold = (soldUnits: number) => ({ soldUnits }) as Liquidity;

  it('calculates changes and discounts with four decimals', () => {
    expect(changeOf(move('a', 16_000, 21_000))).toBe(0.3125);
    expect([10_000, 12_000, 15_000].map((milliEach) => discountOf(milliEach, 21_000))).toEqual([0.5238, 0.4286, 0.2857]);
  });

  it('limits the moves before splitting them, and leaves out unchanged medians', () => {
    const moves = [move('up', 10, 30), move('down', 10, 5), move('same', 10, 10), move('late', 10, 11)];
    const namesOf = (limit: number) => {
      const { risers, fallers } = splitMoves(moves, limit);
      return [risers.map(({ name }) => name), fallers.map(({ name }) => name)];
    };
    expect(namesOf(3)).toEqual([['up'], ['down']]);
    expect(namesOf(4)).toEqual([['up', 'late'], ['down']]);
  });

  it('calculates days of stock with one decimal; null without a sale', () => {
    expect([daysOfStock(sold(30), stock(100), 7), daysOfStock(sold(30), undefined, 7), daysOfStock(sold(0), stock(100), 7)]).toEqual([
      23.3,
      0,
      null,
    ]);
    expect(daysOfStock(sold(0), undefined, 7)).toBeNull();
  });
});
