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
  if (printers.size === 0) {
    const { console } = globalThis;
    // An object of its own, because the console of the test runner returns another function for each read of a method.
    globalThis.console = Object.create(console) as Console;
    for (const method of METHODS) {
      printers.set(method, console[method]);
      globalThis.console[method] = (...values) => {
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

/** Parts of the test runner that the Workers plugin uses to load the service. */
interface RunnerGlobals {
  __vitest_mocker__: { moduleRunner: ModuleRunner };
  __vitest_worker__: { providedContext: { cloudflarePoolOptions: string } };
}

interface ModuleRunner {
  import(id: string, options?: object): Promise<unknown>;
}

const cachingRunners = new WeakSet<ModuleRunner>();

/**
 * Lets the module runner load the entry of the service once. The Workers plugin imports the entry for every request and for every call of
 * an object, and the module runner handles each import in a request to another object, which takes half of the time of a simple request.
 */
export function loadServiceOnce(): void {
  const { __vitest_mocker__, __vitest_worker__ } = globalThis as unknown as RunnerGlobals;
  const { moduleRunner } = __vitest_mocker__;
  if (cachingRunners.has(moduleRunner)) return;
  cachingRunners.add(moduleRunner);
  const { main } = JSON.parse(__vitest_worker__.providedContext.cloudflarePoolOptions) as { main: string };
  const load = moduleRunner.import.bind(moduleRunner);
  let service: Promise<unknown> | undefined;
  moduleRunner.import = (id, options) => {
    if (id !== main || options !== undefined) return load(id, options);
    service ??= load(id).catch((error: unknown) => {
      service = undefined;
      throw error;
    });
    return service;
  };
}
