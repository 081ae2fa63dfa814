import { getResolvedMainPath, maybeHandleRunRequest } from 'cloudflare:test-internal';
import { env } from 'cloudflare:workers';
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
 * files. No option of the test runner prevents it: without its console, the lines of all tests would be lines of the runtime. Version
 * 1.5.0 of the Workers plugin sends queued lines by a timer.
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

/** The module runner of the test runner, through which the Workers plugin loads the entry of the service. */
interface ModuleRunner {
  import(id: string, options?: object): unknown;
}

const cachingRunners = new WeakSet<ModuleRunner>();

/**
 * Loads the entry of the service once. The Workers plugin imports the entry for every request and for every call of an object, each time
 * by a request to the object of the test runner, which takes more than half of the time of a simple request: 14 of 98 s of processor time
 * of `conformance.test.ts` with the tests of tokens. The plugin has no option for it, also in version 1.5.0.
 */
export function loadServiceOnce(): void {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: ModuleRunner } }).__vitest_mocker__;
  if (cachingRunners.has(moduleRunner)) return;
  cachingRunners.add(moduleRunner);
  const main = getResolvedMainPath('service');
  const load = moduleRunner.import.bind(moduleRunner) as (id: string, options?: object) => Promise<unknown>;
  let loading: Promise<unknown> | undefined;
  let service: unknown;
  moduleRunner.import = (id, options) => {
    if (id !== main || options !== undefined) return load(id, options);
    if (service !== undefined) return service;
    loading ??= load(id).then(
      (module) => {
        service = module;
        return module;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  runImportsInPlace(() => service !== undefined);
}

/** A request by which the plugin runs an import in the object of the test runner. */
type ImportRequest = Parameters<typeof maybeHandleRunRequest>[0];

/** The binding of the object of the test runner. */
interface RunnerObjects {
  get(id: string): { fetch(url: string, request: ImportRequest): Promise<Response | undefined> };
}

/** Spares the request to the object of the test runner once the entry is loaded. */
function runImportsInPlace(isLoaded: () => boolean): void {
  const bindings = env as unknown as { __VITEST_POOL_WORKERS_RUNNER_OBJECT: RunnerObjects };
  const objects = bindings.__VITEST_POOL_WORKERS_RUNNER_OBJECT;
  bindings.__VITEST_POOL_WORKERS_RUNNER_OBJECT = {
    get: (id) => ({ fetch: (url, request) => (isLoaded() ? maybeHandleRunRequest(request) : objects.get(id).fetch(url, request)) }),
  };
}
