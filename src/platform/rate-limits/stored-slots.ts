const PREFIX = 'slot:';

/** Seconds between two renewals of a slot. */
export const SLOT_RENEWAL_SECONDS = 60;
/** Lifetime of a slot without renewal: one renewal may fail. */
export const SLOT_LEASE_MS = 2 * SLOT_RENEWAL_SECONDS * 1000;

/** A slot as stored and as sent between objects. */
export interface Slot {
  id: string;
  holder: string;
  /** End of the lease, real time in milliseconds. */
  until: number;
}

/** Limit of one client, and of all clients of the object together (null: unlimited). */
export interface BucketLimits {
  own: number;
  network: number | null;
}

/**
 * Slots of open streams: leases in the storage of a Durable Object, which survive its eviction. Each slot is a separate entry, so a
 * renewal writes only one.
 */
export class StoredSlots {
  readonly #storage: DurableObjectStorage;
  readonly #setAlarm: (at: number) => void;
  /** Null until first used: requests without a stream do not read the slots. */
  #slots: Map<string, Slot> | null = null;
  /** True after this instance of the object has set its alarm for the slots. */
  #isAlarmSet = false;

  /** `setAlarm` sets the alarm of the object, real time in milliseconds. */
  constructor(storage: DurableObjectStorage, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#setAlarm = setAlarm;
  }

  /** Acquires or renews a slot; an expired slot is acquired again. Returns null, or the limit that is reached. */
  acquire(id: string, holder: string, { own, network }: BucketLimits): number | null {
    const slots = this.#live();
    if (!slots.has(id)) {
      if (network !== null && slots.size >= network) return network;
      let count = 0;
      for (const slot of slots.values()) if (slot.holder === holder) count += 1;
      if (count >= own) return own;
    }
    this.#put({ id, holder, until: Date.now() + SLOT_LEASE_MS });
    return null;
  }

  /** Releases a slot; no effect for an unknown slot. */
  release(id: string): void {
    if (this.#live().delete(id)) this.#storage.kv.delete(PREFIX + id);
  }

  /** For the alarm of the object: deletes expired slots. Returns the time of the next alarm; null when no slot is left. */
  deleteExpired(): number | null {
    const slots = this.#live();
    this.#isAlarmSet = slots.size > 0;
    return slots.size === 0 ? null : [...slots.values()].reduce((latest, { until }) => Math.max(latest, until), 0);
  }

  /** Removes and returns all slots, for the object that replaces this one. */
  removeAll(): Slot[] {
    const slots = [...this.#live().values()];
    for (const { id } of slots) this.release(id);
    return slots;
  }

  /** Adds the slots of another object. */
  importSlots(slots: readonly Slot[]): void {
    for (const slot of slots) this.#put(slot);
  }

  #put(slot: Slot): void {
    this.#live().set(slot.id, slot);
    this.#storage.kv.put(PREFIX + slot.id, slot);
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    this.#setAlarm(slot.until);
  }

  #live(): Map<string, Slot> {
    this.#slots ??= new Map([...this.#storage.kv.list<Slot>({ prefix: PREFIX })].map(([, slot]) => [slot.id, slot]));
    const now = Date.now();
    for (const [id, { until }] of this.#slots) {
      if (until > now) continue;
      this.#slots.delete(id);
      this.#storage.kv.delete(PREFIX + id);
    }
    return this.#slots;
  }
}
