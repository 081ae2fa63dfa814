/** The one alarm of a Durable Object, shared by several who wait: it is set to the earliest. */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #times = new Map<string, number>();
  /** What the alarm is set to, as far as this life of the object knows. */
  #armedFor: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Notes a time in milliseconds without setting the alarm. Null: nothing is waited for. */
  note(name: string, at: number | null): void {
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
  }

  /** Wakes the object then at the latest. */
  set(name: string, at: number): void {
    this.#times.set(name, at);
    this.#arm();
  }

  /** To be called at the end of every alarm, which is set no more: sets it for what is still waited for. */
  rearm(): void {
    this.#armedFor = null;
    this.#arm();
  }

  /** Each setting is a write: nothing happens while the alarm is right. */
  #arm(): void {
    const earliest = Math.min(...this.#times.values());
    if (!Number.isFinite(earliest) || earliest === this.#armedFor) return;
    this.#armedFor = earliest;
    void this.#storage.setAlarm(earliest, { allowUnconfirmed: true });
  }
}
