import type { ClassDay, ClassSample } from '../../src/areas/activity/class-activity.domain.ts';

const DAY = 86_400;

/** The sums of each day over its samples, which all have the same classes. */
export function classDaysOf(samples: readonly ClassSample[]): ClassDay[] {
  return [...Map.groupBy(samples, ({ at }) => at - (at % DAY))].map(([day, own]) => {
    const sumsOf = (kind: 'active' | 'clean') =>
      (own[0]?.values[kind] ?? []).map((_, index) => {
        const known = own.map(({ values }) => values[kind][index] ?? null).filter((value) => value !== null);
        return { n: known.length, sum: known.reduce((sum, value) => sum + value, 0), max: known.length === 0 ? null : Math.max(...known) };
      });
    const atSum = own.reduce((sum, { at }) => sum + at, 0);
    return { day, firstAt: own[0]?.at ?? 0, samples: own.length, atSum, active: sumsOf('active'), clean: sumsOf('clean') };
  });
}
