/** LRU cache bounded by the total number of rows. */
export class RowCache<Value> {
  readonly #entries = new Map<string, { value: Value; rows: number }>();
  readonly #capacity: number;
  #rows = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, rows: number): void {
    this.#rows += rows - (this.#entries.get(key)?.rows ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { value, rows });
    for (const [oldest, entry] of this.#entries) {
      if (this.#rows <= this.#capacity || oldest === key) return;
      this.#entries.delete(oldest);
      this.#rows -= entry.rows;
    }
  }
}
