/** 32-bit words per hash. */
const WORDS_PER_HASH = 2;
const START_CAPACITY = 1024;
/** Load factor at which the table grows. */
const MAX_LOAD = 0.6;

/** Finaliser of MurmurHash3: every output bit depends on every input bit. */
function mix(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Set of names, stored as 64-bit hashes in an open-addressing table. Case-sensitive. Among a million names, the probability
 * of a collision is 1 in 37 million.
 */
export class NameHashes {
  /** Pairs of words; two zeros mark an empty slot. */
  #table: Uint32Array;
  #size = 0;

  constructor() {
    this.#table = new Uint32Array(START_CAPACITY * WORDS_PER_HASH);
  }

  get size(): number {
    return this.#size;
  }

  add(name: string): void {
    let high = 0x9e3779b9;
    let low = 0x7f4a7c15;
    for (let index = 0; index < name.length; index += 1) {
      const unit = name.charCodeAt(index);
      high = Math.imul(high ^ unit, 0x9e3779b1);
      low = Math.imul(low ^ unit, 0x85ebca77);
    }
    this.#insert(mix(high ^ name.length), mix(low ^ (high >>> 15)));
  }

  /** Adds the hashes of another set, in the format of `toWords`. */
  addWords(words: Uint32Array): void {
    for (let index = 0; index < words.length; index += WORDS_PER_HASH) this.#insert(words[index] ?? 0, words[index + 1] ?? 0);
  }

  /** The hashes as pairs of words, ascending. */
  toWords(): Uint32Array {
    const hashes: [number, number][] = [];
    for (let index = 0; index < this.#table.length; index += WORDS_PER_HASH) {
      const [high = 0, low = 0] = [this.#table[index], this.#table[index + 1]];
      if (high !== 0 || low !== 0) hashes.push([high, low]);
    }
    hashes.sort(([high, low], [otherHigh, otherLow]) => high - otherHigh || low - otherLow);
    const words = new Uint32Array(hashes.length * WORDS_PER_HASH);
    for (const [index, hash] of hashes.entries()) words.set(hash, index * WORDS_PER_HASH);
    return words;
  }

  #insert(high: number, rawLow: number): void {
    // Zero marks an empty slot, so the hash 0 is stored as 1.
    const low = high === 0 && rawLow === 0 ? 1 : rawLow;
    if ((this.#size + 1) * WORDS_PER_HASH > this.#table.length * MAX_LOAD) this.#grow();
    const mask = this.#table.length - WORDS_PER_HASH;
    let slot = (low * WORDS_PER_HASH) & mask;
    while (this.#table[slot] !== 0 || this.#table[slot + 1] !== 0) {
      if (this.#table[slot] === high && this.#table[slot + 1] === low) return;
      slot = (slot + WORDS_PER_HASH) & mask;
    }
    this.#table[slot] = high;
    this.#table[slot + 1] = low;
    this.#size += 1;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    this.#size = 0;
    for (let index = 0; index < old.length; index += WORDS_PER_HASH) {
      const [high = 0, low = 0] = [old[index], old[index + 1]];
      if (high !== 0 || low !== 0) this.#insert(high, low);
    }
  }
}
