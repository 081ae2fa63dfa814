/** Shares the single alarm of a Durable Object between named timers. The alarm is set to the earliest. */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #times = new Map<string, number>();
  /** Alarm time that this instance of the object has set, in milliseconds. */
  #alarmAt: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Sets a timer in memory without setting the alarm. Null clears the timer. `at`: real time in milliseconds. */
  note(name: string, at: number | null): void {
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
  }

  has(name: string): boolean {
    return this.#times.has(name);
  }

  /** Sets a timer, and the alarm if the timer is the earliest. `at`: real time in milliseconds. */
  set(name: string, at: number): void {
    this.#times.set(name, at);
    this.#setEarliest();
  }

  /** Sets the alarm for the remaining timers. Call at the end of the alarm handler. */
  rearm(): void {
    this.#alarmAt = null;
    this.#setEarliest();
  }

  /** Sets the alarm only if its time changed: each call of `setAlarm` is a write. */
  #setEarliest(): void {
    const earliest = Math.min(...this.#times.values());
    if (!Number.isFinite(earliest) || earliest === this.#alarmAt) return;
    this.#alarmAt = earliest;
    void this.#storage.setAlarm(earliest, { allowUnconfirmed: true });
  }
}
