/** Splits streamed text into lines. Buffers at most one unfinished line of `maxLength` characters. */
export interface LineSplitter {
  /** Lines completed by the chunk; null for an overlong one. */
  push(chunk: string): (string | null)[];
  /** The last line, if it has no line feed. */
  end(): (string | null)[];
}

export function createLineSplitter(maxLength: number): LineSplitter {
  let pending = '';
  let isTooLong = false;

  function append(text: string): void {
    isTooLong ||= pending.length + text.length > maxLength;
    pending = isTooLong ? '' : pending + text;
  }

  function finish(): string | null {
    const line = isTooLong ? null : pending;
    pending = '';
    isTooLong = false;
    return line;
  }

  return {
    push(chunk) {
      const lines: (string | null)[] = [];
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        append(chunk.slice(start, end));
        lines.push(finish());
        start = end + 1;
      }
      append(chunk.slice(start));
      return lines;
    },
    end: () => (pending === '' && !isTooLong ? [] : [finish()]),
  };
}
