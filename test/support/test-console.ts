import { beforeEach, onTestFailed } from 'vitest';

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;
/** Lines kept of one test. */
const MAX_LINES = 200;

type Method = (typeof METHODS)[number];

let lines: { method: Method; values: unknown[] }[] = [];

/** The console of the test runner by method. */
const printers = new Map<Method, (...values: unknown[]) => void>();

/**
 * Holds the lines of the console back until the test has ended, and prints them if it failed. The test runner would send each line to its
 * own process and await a response before it ends the file. It cannot send from the context of an object or a request, so it queues such
 * a line until it sends something else. A line of work that outlives the last test would stay queued, and its runtime would run no more
 * files.
 */
export function keepConsoleLines(): void {
  const { console } = globalThis;
  if (printers.size === 0) {
    for (const method of METHODS) {
      printers.set(method, console[method].bind(console));
      console[method] = (...values) => {
        lines.push({ method, values });
        if (lines.length > MAX_LINES) lines.shift();
      };
    }
  }
  beforeEach(() => {
    lines = [];
    onTestFailed(() => {
      for (const { method, values } of lines) printers.get(method)?.(...values);
    });
  });
}
