/** Words of 32 bits that make up one hash. */
const WORDS = 2;
const START_CAPACITY = 1024;
/** The table grows when it is more than three fifths full. */
const MAX_LOAD = 0.6;

/** Mixes the bits of a 32-bit word so that each depends on all. */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * A set of names, kept as 64-bit hashes: of a million names two share one with a chance of one in 37 million. Names count
 * as they are spelled.
 */
export class NameHashes {
  /** Pairs of words; two zeros are an empty place. */
  #table: Uint32Array;
  #size = 0;

  constructor() {
    this.#table = new Uint32Array(START_CAPACITY * WORDS);
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
    this.#insert(mixed(high ^ name.length), mixed(low ^ (high >>> 15)));
  }

  /** Adds what another set held, as `toWords` gave it. */
  addWords(words: Uint32Array): void {
    for (let index = 0; index < words.length; index += WORDS) this.#insert(words[index] ?? 0, words[index + 1] ?? 0);
  }

  /** The hashes as pairs of words, ascending. */
  toWords(): Uint32Array {
    const hashes: [number, number][] = [];
    for (let index = 0; index < this.#table.length; index += WORDS) {
      const [high = 0, low = 0] = [this.#table[index], this.#table[index + 1]];
      if (high !== 0 || low !== 0) hashes.push([high, low]);
    }
    hashes.sort(([high, low], [otherHigh, otherLow]) => high - otherHigh || low - otherLow);
    const words = new Uint32Array(hashes.length * WORDS);
    for (const [index, hash] of hashes.entries()) words.set(hash, index * WORDS);
    return words;
  }

  #insert(high: number, rawLow: number): void {
    // The hash that would look like an empty place shares its neighbour's.
    const low = high === 0 && rawLow === 0 ? 1 : rawLow;
    if ((this.#size + 1) * WORDS > this.#table.length * MAX_LOAD) this.#grow();
    const mask = this.#table.length - WORDS;
    let place = (low * WORDS) & mask;
    while (this.#table[place] !== 0 || this.#table[place + 1] !== 0) {
      if (this.#table[place] === high && this.#table[place + 1] === low) return;
      place = (place + WORDS) & mask;
    }
    this.#table[place] = high;
    this.#table[place + 1] = low;
    this.#size += 1;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    this.#size = 0;
    for (let index = 0; index < old.length; index += WORDS) {
      const [high = 0, low = 0] = [old[index], old[index + 1]];
      if (high !== 0 || low !== 0) this.#insert(high, low);
    }
  }
}
