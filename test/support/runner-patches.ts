import { runInDurableObject } from 'cloudflare:test';
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
  import(id: string, options?: object): unknown;
}

const cachingRunners = new WeakSet<ModuleRunner>();

/**
 * Loads the entry of the service once. The Workers plugin imports the entry for every request and for every call of an object, each time
 * by a request to the object of the test runner, which takes more than half of the time of a simple request.
 */
export function loadServiceOnce(): void {
  const { __vitest_mocker__, __vitest_worker__ } = globalThis as unknown as RunnerGlobals;
  const { moduleRunner } = __vitest_mocker__;
  if (cachingRunners.has(moduleRunner)) return;
  cachingRunners.add(moduleRunner);
  const { main } = JSON.parse(__vitest_worker__.providedContext.cloudflarePoolOptions) as { main: string };
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

/** What the plugin runs in its own object: the import of the entry. */
type Action = () => unknown;

/** The binding of the object of the test runner, in which the plugin imports the entry. */
interface RunnerObjects {
  get(id: string): { fetch(url: string, init: { cf: { vitestPoolWorkersDurableObjectAction: number } }): Promise<{ ok: boolean }> };
}

/** Spares the request to the object of the test runner once the entry is loaded. */
function runImportsInPlace(isLoaded: () => boolean): void {
  const bindings = env as unknown as { __VITEST_POOL_WORKERS_RUNNER_OBJECT: RunnerObjects };
  const objects = bindings.__VITEST_POOL_WORKERS_RUNNER_OBJECT;
  const actions = pendingActions();
  bindings.__VITEST_POOL_WORKERS_RUNNER_OBJECT = {
    get: (objectId) => ({
      async fetch(url, init) {
        const id = init.cf.vitestPoolWorkersDurableObjectAction;
        const action = actions.get(id);
        if (!isLoaded() || typeof action !== 'function') return objects.get(objectId).fetch(url, init);
        actions.set(id, (action as Action)());
        return { ok: true };
      },
    }),
  };
}

/** The actions of the plugin by number, each replaced by its result. The plugin does not export them. */
function pendingActions(): Map<number, unknown> {
  let actions: Map<number, unknown> | undefined;
  const { set } = Map.prototype;
  Map.prototype.set = function (key, value) {
    if (value === noAction) actions = this;
    return set.call(this, key, value);
  };
  const noAction = () => {};
  try {
    // The plugin checks the name of the class and the namespace of the id.
    const stub = { constructor: { name: 'DurableObject' }, id: env.RATE_LIMITS.newUniqueId(), fetch: async () => ({ ok: true }) };
    void runInDurableObject(stub as never, noAction);
  } finally {
    Map.prototype.set = set;
  }
  if (actions === undefined) throw new Error('the Workers plugin no longer stores the actions of objects in a map');
  return actions;
}
