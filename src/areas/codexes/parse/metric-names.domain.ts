import { joinBytes } from '../../../platform/kit/values/bytes.ts';
import { toLatin1 } from '../format/bytes.domain.ts';

/** Follows the table of metric names in the executable. */
const END_MARK = new TextEncoder().encode('KPlayerMetric\0');
/** Size of the window in which the table is searched: much larger than the table. */
const WINDOW_BYTES = 1 << 18;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME_TAIL = /[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_METRIC_NAMES = 20_000;

/** Scans the executable as a stream of chunks of any size. */
export function createMetricNameScanner() {
  let previous: Uint8Array = new Uint8Array(0);
  let metricNames: string[] = [];
  return {
    push(chunk: Uint8Array): void {
      for (let at = 0; at < chunk.length && metricNames.length === 0; at += WINDOW_BYTES) {
        const window = joinBytes([previous, chunk.subarray(at, at + WINDOW_BYTES)]);
        metricNames = findNames(window, previous.length);
        previous = window.slice(Math.max(0, window.length - WINDOW_BYTES));
      }
    },
    /** Metric names, ordinal 1 first; empty if the table was not found. */
    names: (): string[] => metricNames,
  };
}

/** Names before the first end mark with names. `known` is the number of bytes that were already searched. */
function findNames(bytes: Uint8Array, searchedBytes: number): string[] {
  const first = END_MARK[0] ?? 0;
  for (let at = bytes.indexOf(first, Math.max(0, searchedBytes - END_MARK.length)); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (!END_MARK.every((byte, index) => bytes[at + index] === byte)) continue;
    const names = readNamesBackwards(bytes, at);
    if (names.length > 0) return names;
  }
  return [];
}

/** Reads zero-terminated names backwards. The first name of the table directly follows a number. */
function readNamesBackwards(bytes: Uint8Array, end: number): string[] {
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
