const MAX_NAMES = 10;

/** Counts of one check, and the names of what differs. */
export class Check {
  readonly name: string;
  seen = 0;
  /** Counts of what was seen, by kind. */
  readonly kinds = new Map<string, number>();
  readonly differences: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Counts one; `difference` describes what differs, or is null. */
  add(difference: string | null, kind?: string): void {
    this.seen += 1;
    if (kind !== undefined) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (difference !== null) this.differences.push(difference);
  }
}

export class Report {
  readonly #checks: Check[] = [];

  check(name: string): Check {
    const check = new Check(name);
    this.#checks.push(check);
    return check;
  }

  /** Lines with the counts of each check and the first names of what differs. */
  lines(): string[] {
    return this.#checks.flatMap(({ name, seen, kinds, differences }) => [
      `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${name}: ${seen}, ${differences.length} different${listKinds(kinds)}`,
      ...differences.slice(0, MAX_NAMES).map((difference) => `       ${difference}`),
    ]);
  }

  differences(): number {
    return this.#checks.reduce((sum, { differences }) => sum + differences.length, 0);
  }
}

function listKinds(kinds: ReadonlyMap<string, number>): string {
  const counts = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

/** Null if both are equal as JSON, otherwise the name of what differs. */
export function compare(name: string, actual: unknown, expected: unknown): string | null {
  return JSON.stringify(actual) === JSON.stringify(expected) ? null : name;
}
