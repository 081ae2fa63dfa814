export const SLOT_PREFIX = 'slot:';

/** Seconds between two renewals of a slot: each costs a request to the object and a row. */
export const SLOT_RENEWAL_SECONDS = 900;
/** Lifetime of a slot without renewal: one renewal may fail. Ended streams are released at once, those of a lost shard by its next instance. */
export const SLOT_LEASE_MS = 2 * SLOT_RENEWAL_SECONDS * 1000;

/** A slot, and the name of the shard that keeps its stream. */
export interface SlotOfShard {
  id: string;
  shard: string;
}

/** A slot as stored. */
export interface StoredSlot extends SlotOfShard {
  holder: string;
  /** End of the lease, real time in milliseconds. */
  until: number;
}

/** Limit of one client, and of all clients of the object together (null: unlimited). */
export interface BucketLimits {
  own: number;
  network: number | null;
}

/** The limit that is reached, and the shards that keep the counted streams. */
export interface FullSlots {
  limit: number;
  shards: string[];
}

/**
 * Slots of open streams: leases in the storage of a Durable Object, which survive its eviction. Each slot is a separate entry, so a
 * renewal writes only one.
 */
export class StoredSlots {
  readonly #storage: DurableObjectStorage;
  readonly #setAlarm: (at: number) => void;
  /** Null until first used: requests without a stream do not read the slots. */
  #slots: Map<string, StoredSlot> | null = null;
  /** True after this instance of the object has set its alarm for the slots. */
  #isAlarmSet = false;

  /** `setAlarm` sets the alarm of the object, real time in milliseconds. */
  constructor(storage: DurableObjectStorage, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#setAlarm = setAlarm;
  }

  /** Acquires or renews a slot; an expired slot is acquired again. Null unless a limit is reached. */
  acquire({ id, shard }: SlotOfShard, holder: string, { own, network }: BucketLimits): FullSlots | null {
    const slots = this.#live();
    if (!slots.has(id)) {
      const shards = () => [...new Set([...slots.values()].map(({ shard }) => shard))];
      if (network !== null && slots.size >= network) return { limit: network, shards: shards() };
      let count = 0;
      for (const slot of slots.values()) if (slot.holder === holder) count += 1;
      if (count >= own) return { limit: own, shards: shards() };
    }
    this.#put({ id, shard, holder, until: Date.now() + SLOT_LEASE_MS });
    return null;
  }

  /** Holders of slots by shard, each shard once per holder. */
  holders(): { shard: string; holder: string }[] {
    return [...new Map([...this.#live().values()].map(({ shard, holder }) => [`${shard} ${holder}`, { shard, holder }])).values()];
  }

  /** Releases a slot; no effect for an unknown slot. */
  release(id: string): void {
    if (this.#live().delete(id)) this.#storage.kv.delete(SLOT_PREFIX + id);
  }

  /** For the alarm of the object: deletes expired slots. Returns the time of the next alarm; null when no slot is left. */
  deleteExpired(): number | null {
    const slots = this.#live();
    this.#isAlarmSet = slots.size > 0;
    return slots.size === 0 ? null : [...slots.values()].reduce((latest, { until }) => Math.max(latest, until), 0);
  }

  #put(slot: StoredSlot): void {
    this.#live().set(slot.id, slot);
    this.#storage.kv.put(SLOT_PREFIX + slot.id, slot);
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    this.#setAlarm(slot.until);
  }

  #live(): Map<string, StoredSlot> {
    this.#slots ??= new Map([...this.#storage.kv.list<StoredSlot>({ prefix: SLOT_PREFIX })].map(([, slot]) => [slot.id, slot]));
    const now = Date.now();
    for (const [id, { until }] of this.#slots) {
      if (until > now) continue;
      this.#slots.delete(id);
      this.#storage.kv.delete(SLOT_PREFIX + id);
    }
    return this.#slots;
  }
}
