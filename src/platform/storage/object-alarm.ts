/** The one alarm of a Durable Object, shared by several who wait: it is set to the earliest. */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #times = new Map<string, number>();
  /** The time of the alarm as set by this instance of the object. */
  #armedFor: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Stores a time in milliseconds without setting the alarm. Null clears it. */
  note(name: string, at: number | null): void {
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
  }

  /** Wakes the object then at the latest. */
  set(name: string, at: number): void {
    this.#times.set(name, at);
    this.#arm();
  }

  /** Call at the end of every alarm, which is then cleared: sets it for the remaining times. */
  rearm(): void {
    this.#armedFor = null;
    this.#arm();
  }

  /** Each setting is a write: no effect while the alarm is right. */
  #arm(): void {
    const earliest = Math.min(...this.#times.values());
    if (!Number.isFinite(earliest) || earliest === this.#armedFor) return;
    this.#armedFor = earliest;
    void this.#storage.setAlarm(earliest, { allowUnconfirmed: true });
  }
}
