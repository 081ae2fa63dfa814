import { AsyncLocalStorage } from 'node:async_hooks';
import { type Interceptor, isRead, wrapBindings } from '../distance/simulator.ts';

/** What a binding or a request leads to. */
export type Kind = 'object' | 'database' | 'kv' | 'r2' | 'fetch';

/** A fault of the platform. */
export interface Fault {
  name: string;
  kind: Kind;
  /** Whether the use takes effect before it fails: its response is lost. */
  isAfter: boolean;
  /** Consecutive uses of the same kind and name that fail. */
  times: number;
  /** The error, or undefined for a refusal that is a result. */
  error?: () => Error;
}

/** One use of a binding. */
export interface Use {
  kind: Kind;
  /** Binding and method, or the first statement. */
  what: string;
  isRead: boolean;
}

const flagged = (message: string, flags: object) => () => Object.assign(new Error(message), flags);
const RESET = flagged('Durable Object reset because its code was updated.', { retryable: true });
const OVERLOADED = flagged('Durable Object is overloaded. Requests queued for too long.', { overloaded: true, retryable: true });
const LOST = flagged('Network connection lost.', {});
const d1 = (message: string) => flagged(`D1_ERROR: ${message}`, {});

/** The faults of the platform's documentation, and when each strikes. */
export const FAULTS: readonly Fault[] = [
  { name: 'reset before', kind: 'object', isAfter: false, times: 1, error: RESET },
  { name: 'reset after', kind: 'object', isAfter: true, times: 1, error: RESET },
  { name: 'reset twice', kind: 'object', isAfter: false, times: 2, error: RESET },
  { name: 'reset after, twice', kind: 'object', isAfter: true, times: 2, error: RESET },
  { name: 'overloaded', kind: 'object', isAfter: false, times: 2, error: OVERLOADED },
  { name: 'lost without flags', kind: 'object', isAfter: true, times: 1, error: LOST },
  { name: 'connection lost before', kind: 'database', isAfter: false, times: 1, error: d1('Network connection lost.') },
  { name: 'connection lost after', kind: 'database', isAfter: true, times: 1, error: d1('Network connection lost.') },
  {
    name: 'timeout, twice',
    kind: 'database',
    isAfter: true,
    times: 2,
    error: d1('D1 DB storage operation exceeded timeout which caused object to be reset.'),
  },
  { name: 'overloaded', kind: 'database', isAfter: false, times: 2, error: d1('D1 DB is overloaded. Requests queued for too long.') },
  { name: '429', kind: 'kv', isAfter: false, times: 2, error: flagged('KV PUT failed: 429 Too Many Requests', {}) },
  { name: '503', kind: 'kv', isAfter: false, times: 2, error: flagged('KV GET failed: 503 Service Unavailable', {}) },
  {
    name: '10001 before',
    kind: 'r2',
    isAfter: false,
    times: 2,
    error: flagged('put: We encountered an internal error. Please try again. (10001)', {}),
  },
  {
    name: '10001 after',
    kind: 'r2',
    isAfter: true,
    times: 1,
    error: flagged('get: We encountered an internal error. Please try again. (10001)', {}),
  },
  { name: 'conditional put refused', kind: 'r2', isAfter: true, times: 1 },
];

/** When an isolate dies: at a use of a binding, before it takes effect or when its response is lost. */
export interface Death {
  at: number;
  isAfter: boolean;
  /** True: `at` counts from the call of `mark`, and earlier uses are safe. */
  fromMark?: boolean;
}

/** A run that nothing disturbs. */
export const NO_DEATH: Death = { at: -1, isAfter: false };

/** Lets one use of a binding fail. All Durable Objects and the tests share the isolate, and so the injector. */
export function createInjector() {
  let uses: Use[] = [];
  let armed: { at: number | RegExp; fault: Fault; target: string | null; left: number } | null = null;
  let death: (Death & { isDead: boolean }) | null = null;
  let marked: number | null = null;
  /** Separates requests of the work from those of other objects and tests in the same isolate. */
  const requests = new AsyncLocalStorage<true>();

  /** Uses after a death have no effect either. Work that runs on after one in this process can change nothing that is stored. */
  async function useOrDie<Result>(dying: Death & { isDead: boolean }, index: number, work: () => Promise<Result>): Promise<Result> {
    const isLast = (dying.fromMark ? marked !== null && index - marked === dying.at : index === dying.at) && !dying.isDead;
    if (isLast) dying.isDead = true;
    else if (!dying.isDead) return work();
    if (isLast && dying.isAfter) await work();
    throw new Error('the isolate died');
  }

  async function use<Result>(kind: Kind, what: string, reads: boolean, work: () => Promise<Result>): Promise<Result> {
    const index = uses.length;
    uses.push({ kind, what, isRead: reads });
    if (death) return useOrDie(death, index, work);
    if (!armed || armed.left === 0 || armed.fault.kind !== kind) return work();
    const { at, target } = armed;
    if (target === null ? (typeof at === 'number' ? index !== at : !at.test(what)) : what !== target) return work();
    armed.target = what;
    armed.left -= 1;
    const { isAfter, error } = armed.fault;
    if (!error) {
      if (!what.endsWith(' put')) return work();
      await work();
      return null as Result;
    }
    if (isAfter) await work();
    throw error();
  }

  const interceptor: Interceptor = {
    database: (_client, _constraint, texts, work) =>
      use('database', (texts[0] ?? '').replaceAll(/\s+/g, ' ').slice(0, 60), texts.every(isRead), work),
    object: (binding, _name, method, work) => use('object', `${binding} ${method}`, false, work),
    store: (place, binding, method, _key, work) => use(place, `${binding} ${method}`, method !== 'put' && method !== 'delete', work),
    assets: (work) => work(),
  };

  return {
    wrap: <Bindings extends object>(env: Bindings): Bindings => wrapBindings(env, interceptor),

    /** Runs work, with a fault at its use number `at`, or at the first use that `at` matches. Returns the uses, and whether the fault struck. */
    async run<Result>(work: () => Promise<Result>, at: number | RegExp = -1, fault: Fault | null = null) {
      uses = [];
      armed = fault && { at, fault, target: null, left: fault.times };
      try {
        const result = await work();
        return { result, uses, struck: armed !== null && armed.target !== null };
      } finally {
        armed = null;
      }
    },

    /** Runs work whose isolate dies. Returns the uses, and whether it died; a failure because of the death does not count. */
    async runUntilDeath<Result>(work: () => Promise<Result>, given: Death) {
      uses = [];
      marked = null;
      const dying = { ...given, isDead: false };
      death = dying;
      try {
        const result = await requests.run(true, work).catch((error: unknown) => {
          if (dying.isDead) return null;
          throw error;
        });
        return { result, uses, marked, struck: dying.isDead };
      } finally {
        death = null;
      }
    },

    /** Marks the end of a part of the work, such as the response to a request. */
    mark(): void {
      marked = uses.length;
    },

    /** Makes the requests of `runUntilDeath` uses. Returns a function that ends it. */
    watchFetch(): () => void {
      const original = globalThis.fetch;
      globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
        if (!requests.getStore()) return original(input, init);
        const { method, url } = new Request(input instanceof URL ? input.href : input, {
          method: init?.method ?? undefined,
        } as RequestInit);
        return use('fetch', `${method} ${new URL(url).pathname}`, method === 'GET', () => original(input, init));
      };
      return () => {
        globalThis.fetch = original;
      };
    },
  };
}
