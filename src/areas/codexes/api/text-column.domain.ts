/** Several texts in one: where each of its fields ends, and the number of the first record. */
interface Part {
  text: string;
  ends: Uint32Array;
  first: number;
}

/**
 * The texts of many records, each a name and a description, looked through for a literal piece. They are joined into few
 * long strings, in which the runtime finds a piece far faster than in as many short ones.
 */
export class TextColumn {
  readonly #parts: Part[] = [];
  #size = 0;

  /** Adds records behind those there are. */
  add(records: readonly (readonly [name: string, description: string])[]): void {
    const ends = new Uint32Array(records.length * 2);
    let end = 0;
    records.flat().forEach((text, field) => {
      end += text.length;
      ends[field] = end;
    });
    this.#parts.push({ text: records.flat().join(''), ends, first: this.#size });
    this.#size += records.length;
  }

  /** 1 for each record of which a field contains the piece, which is not empty. */
  matches(piece: string): Uint8Array<ArrayBuffer> {
    const marks = new Uint8Array(this.#size);
    for (const { text, ends, first } of this.#parts) {
      for (let at = text.indexOf(piece); at !== -1; ) {
        const field = fieldAt(ends, at);
        // What begins in one field and ends in the next is in neither.
        if (at + piece.length > (ends[field] ?? 0)) {
          at = text.indexOf(piece, at + 1);
          continue;
        }
        marks[first + (field >> 1)] = 1;
        at = text.indexOf(piece, ends[field | 1] ?? text.length);
      }
    }
    return marks;
  }
}

/** The field that a place lies in: the first that ends behind it. */
function fieldAt(ends: Uint32Array, place: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
