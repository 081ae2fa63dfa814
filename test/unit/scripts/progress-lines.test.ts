import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgress } from '../../../scripts/lib/progress-lines.ts';

/** A stream that keeps what is written to it. */
function recorder() {
  const lines: string[] = [];
  const write = (text: string | Uint8Array) => {
    lines.push(String(text).trim());
    return true;
  };
  return { lines, stream: { write: write as NodeJS.WriteStream['write'] } };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('startProgress', () => {
  it('says after 3, 9 and 21 s of silence that the script still runs', () => {
    const { lines, stream } = recorder();
    const stop = startProgress([stream], stream);
    vi.advanceTimersByTime(25_000);
    stop();
    expect(lines).toEqual(['still running, 3 s', 'still running, 9 s', 'still running, 21 s']);
  });

  it('waits for three seconds after each line of the script', () => {
    const { lines, stream } = recorder();
    const stop = startProgress([stream], stream);
    for (let second = 0; second < 10; second += 1) {
      vi.advanceTimersByTime(1000);
      stream.write('step\n');
    }
    expect(new Set(lines)).toEqual(new Set(['step']));
    vi.advanceTimersByTime(3500);
    expect(lines.at(-1)).toBe('still running, 13 s');
    stop();
  });

  it('leaves the streams as they were', () => {
    const { lines, stream } = recorder();
    const { write } = stream;
    startProgress([stream], stream)();
    vi.advanceTimersByTime(60_000);
    expect(stream.write).toBe(write);
    expect(lines).toEqual([]);
  });
});
