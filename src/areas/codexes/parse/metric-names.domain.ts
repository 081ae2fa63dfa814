import { joinBytes } from '../../../platform/values/bytes.ts';
import { toLatin1 } from '../format/bytes.domain.ts';

/** Ends the table of metric names in the executable. */
const END_MARK = new TextEncoder().encode('KPlayerMetric\0');
/** The table is far smaller. */
const KEPT_BYTES = 1 << 18;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME_TAIL = /[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_METRIC_NAMES = 20_000;

/** Takes the executable in chunks of any size, so that it is never held as a whole. */
export interface MetricNameScanner {
  push(chunk: Uint8Array): void;
  /** Metric names, ordinal 1 first; none when the table was not found. */
  names(): string[];
}

export function createMetricNameScanner(): MetricNameScanner {
  let kept: Uint8Array = new Uint8Array(0);
  let found: string[] = [];
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && found.length === 0; at += KEPT_BYTES) {
        const window = joinBytes([kept, chunk.subarray(at, at + KEPT_BYTES)]);
        found = namesIn(window, kept.length);
        kept = window.slice(Math.max(0, window.length - KEPT_BYTES));
      }
    },
    names: () => found,
  };
}

/** Names before the first end mark that ends behind `known`, where the bytes seen before end, and has names. */
function namesIn(bytes: Uint8Array, known: number): string[] {
  const first = END_MARK[0] ?? 0;
  for (let at = bytes.indexOf(first, Math.max(0, known - END_MARK.length)); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (!END_MARK.every((byte, index) => bytes[at + index] === byte)) continue;
    const names = namesBefore(bytes, at);
    if (names.length > 0) return names;
  }
  return [];
}

/** Walks back over names and zeros; the table's first name is glued to a number before it. */
function namesBefore(bytes: Uint8Array, end: number): string[] {
  const names: string[] = [];
  for (let at = end; names.length < MAX_METRIC_NAMES; ) {
    while (at > 0 && bytes[at - 1] === 0) at -= 1;
    const last = at;
    while (at > 0 && bytes[at - 1] !== 0 && last - at < MAX_METRIC_NAME_LENGTH) at -= 1;
    const text = toLatin1(bytes, at, last);
    const name = NAME.test(text) ? text : NAME_TAIL.exec(text)?.[0];
    if (name !== undefined) names.push(name);
    if (name !== text) break;
  }
  return names.reverse();
}

const MAX_METRIC_NAME_LENGTH = 256;
