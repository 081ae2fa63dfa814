const PREFIX = 'slot:';

/** Seconds between two renewals of a slot. */
export const SLOT_RENEWAL_SECONDS = 60;
/** Lifetime of a slot without renewal: one renewal may fail and be retried in time. */
export const SLOT_LEASE_MS = 2 * SLOT_RENEWAL_SECONDS * 1000;

/** A slot as stored and as sent between objects. */
export interface Slot {
  id: string;
  holder: string;
  /** Real time in milliseconds at which the lease lapses. */
  until: number;
}

/** Slots of one holder, and of all holders of the object together (null: no such limit). */
export interface SlotLimits {
  own: number;
  network: number | null;
}

/**
 * Slots that clients hold while a stream is open: leases in the storage of a Durable Object, which survive its eviction. One
 * entry per slot keeps a renewal small for any number of slots.
 */
export class StoredSlots {
  readonly #storage: DurableObjectStorage;
  readonly #arm: (at: number) => void;
  /** Null until a slot is requested: requests that only count need not read them. */
  #slots: Map<string, Slot> | null = null;
  /** True once this instance of the object has set its alarm for the slots. */
  #isArmed = false;

  /** `arm` wakes the object at a real time in milliseconds. */
  constructor(storage: DurableObjectStorage, arm: (at: number) => void) {
    this.#storage = storage;
    this.#arm = arm;
  }

  /** Acquires or renews a slot; a lapsed one is acquired again. Returns null, or the limit that is reached. */
  hold(id: string, holder: string, { own, network }: SlotLimits): number | null {
    const slots = this.#live();
    if (!slots.has(id)) {
      if (network !== null && slots.size >= network) return network;
      let held = 0;
      for (const slot of slots.values()) if (slot.holder === holder) held += 1;
      if (held >= own) return own;
    }
    this.#put({ id, holder, until: Date.now() + SLOT_LEASE_MS });
    return null;
  }

  /** Releases a slot; no effect for an unknown slot. */
  free(id: string): void {
    if (this.#live().delete(id)) this.#storage.kv.delete(PREFIX + id);
  }

  /** For the object's alarm: deletes lapsed slots. Returns when to wake up next, null when no slot is left. */
  sweep(): number | null {
    const slots = this.#live();
    this.#isArmed = slots.size > 0;
    return slots.size === 0 ? null : [...slots.values()].reduce((latest, { until }) => Math.max(latest, until), 0);
  }

  /** Removes and returns every slot, for the object that replaces this one. */
  release(): Slot[] {
    const released = [...this.#live().values()];
    for (const { id } of released) this.free(id);
    return released;
  }

  /** Takes over the slots of another object. */
  adopt(released: readonly Slot[]): void {
    for (const slot of released) this.#put(slot);
  }

  #put(slot: Slot): void {
    this.#live().set(slot.id, slot);
    this.#storage.kv.put(PREFIX + slot.id, slot);
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#arm(slot.until);
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
