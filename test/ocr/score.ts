import { median } from '../../scripts/lib/measure/quantiles.ts';
import type { SheetImage } from './manifest.ts';
import type { RecognisedStat } from './service.ts';

const SURE = 0.9;

interface Counts {
  /** Number of occurrences on the images. */
  shown: number;
  read: number;
  right: number;
}

/** Comparison of readings with the true values. */
export class Score {
  readonly #byStat = new Map<string, Counts>();
  readonly #byGroup = new Map<string, Counts>();
  readonly #times: number[] = [];
  #sure = 0;
  /** Descriptions of wrong values with high confidence. */
  readonly confidentErrors: string[] = [];
  /** Descriptions of other missed or wrong values, by image. */
  readonly misses: string[] = [];

  add(image: SheetImage, { stats, milliseconds }: { stats: Record<string, RecognisedStat>; milliseconds: number }): void {
    this.#times.push(milliseconds);
    const missed: string[] = [];
    for (const [key, value] of Object.entries(image.stats)) {
      const read = stats[key];
      const isRight = read?.value === value;
      for (const counts of [countsOf(this.#byStat, key), countsOf(this.#byGroup, image.group)]) {
        counts.shown += 1;
        counts.read += read ? 1 : 0;
        counts.right += isRight ? 1 : 0;
      }
      if (isRight && read.confidence >= SURE) this.#sure += 1;
      if (!isRight) missed.push(read ? `${key} ${read.value}, not ${value} (${read.confidence})` : `${key} not read`);
      if (read && !isRight && read.confidence >= SURE)
        this.confidentErrors.push(`CONFIDENT ERROR ${image.file}: ${key} ${read.value}, not ${value}`);
    }
    for (const [key, { value, confidence, derived }] of Object.entries(stats)) {
      if (key in image.stats || derived) continue;
      countsOf(this.#byStat, key).read += 1;
      if (confidence >= SURE) this.confidentErrors.push(`CONFIDENT ERROR ${image.file}: ${key} ${value} is not on the image`);
    }
    if (missed.length > 0) this.misses.push(`${image.file}: ${missed.join('; ')}`);
  }

  exactShare(group: string): number {
    const { shown, right } = countsOf(this.#byGroup, group);
    return right / shown;
  }

  /** Share of the correct values that have high confidence. */
  confidentShare(): number {
    const right = [...this.#byGroup.values()].reduce((sum, counts) => sum + counts.right, 0);
    return this.#sure / right;
  }

  medianTime(): number {
    return this.#times.length === 0 ? 0 : Math.round(median(this.#times));
  }

  /** Precision and recall of each stat, optionally next to those of another reader. */
  table(other: Score | null): string {
    const rows = [...this.#byStat].map(([key, counts]) => {
      const theirs = other ? countsOf(other.#byStat, key) : null;
      return [key.padEnd(18), ...figures(counts), ...(theirs ? figures(theirs) : [])].join('  ');
    });
    const head = ['stat'.padEnd(18), 'shown', 'precision', 'recall', ...(other ? ['(native)', 'precision', 'recall'] : [])].join('  ');
    return [head, ...rows].join('\n');
  }
}

function figures({ shown, read, right }: Counts): string[] {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(3)).padStart(8);
  return [String(shown).padStart(5), share(right, read), share(right, shown)];
}

function countsOf(all: Map<string, Counts>, key: string): Counts {
  const known = all.get(key) ?? { shown: 0, read: 0, right: 0 };
  all.set(key, known);
  return known;
}
