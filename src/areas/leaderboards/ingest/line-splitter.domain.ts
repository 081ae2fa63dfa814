/** Cuts text that comes in pieces into lines. Holds one unfinished line at most, and none longer than `longest`. */
export interface LineSplitter {
  /** Lines completed by the chunk; null for an overlong one. */
  push(piece: string): (string | null)[];
  /** The last line, if it had no end. */
  end(): (string | null)[];
}

export function createLineSplitter(longest: number): LineSplitter {
  let held = '';
  let isTooLong = false;

  function take(piece: string): void {
    isTooLong ||= held.length + piece.length > longest;
    held = isTooLong ? '' : held + piece;
  }

  function finish(): string | null {
    const line = isTooLong ? null : held;
    held = '';
    isTooLong = false;
    return line;
  }

  return {
    push(piece) {
      const lines: (string | null)[] = [];
      let start = 0;
      for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
        take(piece.slice(start, end));
        lines.push(finish());
        start = end + 1;
      }
      take(piece.slice(start));
      return lines;
    },
    end: () => (held === '' && !isTooLong ? [] : [finish()]),
  };
}
