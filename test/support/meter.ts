import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Usage, usageOf } from '../../src/areas/admin/bill/prices.data.ts';
import * as worker from '../../src/index.ts';

type Method = (this: object, ...args: never[]) => unknown;
type Patched = Record<string, Method>;

/** The amounts that the bill counts, and timers that were pending when an RPC to an object ended. */
export interface Reading {
  usage: Usage;
  /** Statements that D1 ran, those of a batch each. */
  statements: number;
  /** Name of the method, and the delay of the timer in milliseconds. */
  pendingTimers: string[];
}

/** An RPC or alarm that runs in an object. */
interface Call {
  instance: object;
  /** Pending timers with their delay in milliseconds. */
  timers: Map<unknown, number>;
}

const calls = new AsyncLocalStorage<Call>();

/**
 * Counts what the bill counts while `work` runs: every object, storage and binding of the isolate. Worker requests, CPU and duration are
 * not counted.
 */
export async function measure(work: () => Promise<unknown>): Promise<Reading> {
  const usage = usageOf({});
  let statements = 0;
  const pendingTimers: string[] = [];
  const undo: (() => void)[] = [];
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  function patch(target: object, name: string, replace: (original: Method) => Method): void {
    const methods = target as Patched;
    const original = methods[name];
    if (original === undefined) throw new Error(`no method ${name} to count`);
    const isOwn = Object.hasOwn(methods, name);
    methods[name] = replace(original);
    undo.push(() => {
      if (isOwn) methods[name] = original;
      else delete methods[name];
    });
  }
  const count = (target: object, name: string, add: (...args: never[]) => void) =>
    patch(
      target,
      name,
      (original) =>
        function (this: object, ...args) {
          add(...args);
          return original.apply(this, args);
        },
    );

  for (const exported of Object.values(worker)) {
    if (typeof exported !== 'function') continue;
    for (const [owner, name] of methodsOf(exported.prototype)) {
      patch(owner, name, (original) => {
        return function (this: object, ...args) {
          // Not an RPC: a call within the object.
          if (calls.getStore()?.instance === this) return original.apply(this, args);
          usage['object requests'] += 1;
          const call: Call = { instance: this, timers: new Map() };
          const end = () => pendingTimers.push(...[...call.timers.values()].map((delay) => `${name}: ${delay} ms`));
          const result = calls.run(call, () => original.apply(this, args));
          if (!(result instanceof Promise)) {
            end();
            return result;
          }
          return result.finally(end);
        };
      });
    }
  }

  const storage = await runInDurableObject(env.RATE_LIMITS.getByName('meter'), (_, state) => state.storage);
  const rows = (written: number) => {
    usage['object rows written'] += written;
  };
  const stored = Object.getPrototypeOf(storage) as object;
  count(stored, 'put', (key: string | object) => rows(typeof key === 'string' ? 1 : Object.keys(key).length));
  count(stored, 'delete', (key: string | string[]) => rows(typeof key === 'string' ? 1 : key.length));
  for (const name of ['setAlarm', 'deleteAlarm', 'deleteAll']) count(stored, name, () => rows(1));
  for (const name of ['put', 'delete']) count(Object.getPrototypeOf(storage.kv) as object, name, () => rows(1));
  count(Object.getPrototypeOf(storage.kv) as object, 'get', () => {
    usage['object rows read'] += 1;
  });
  patch(
    Object.getPrototypeOf(storage.sql) as object,
    'exec',
    (original) =>
      function (this: object, ...args) {
        const cursor = original.apply(this, args) as (typeof cursors)[number];
        cursors.push(cursor);
        return cursor;
      },
  );

  const session = Object.getPrototypeOf(env.DB.withSession()) as object;
  patch(
    session,
    '_send',
    (original) =>
      async function (this: object, ...args) {
        const result = (await original.apply(this, args)) as { meta: D1Meta } | { meta: D1Meta }[];
        for (const { meta } of [result].flat()) {
          statements += 1;
          usage['D1 rows read'] += meta.rows_read;
          usage['D1 rows written'] += meta.rows_written;
        }
        return result;
      },
  );
  const one = (meter: keyof Usage) => () => {
    usage[meter] += 1;
  };
  const kv = Object.getPrototypeOf(env.CACHE) as object;
  for (const name of ['get', 'getWithMetadata']) count(kv, name, one('KV reads'));
  for (const name of ['put', 'delete', 'list']) count(kv, name, one('KV writes'));
  const bucket = Object.getPrototypeOf(env.BOARDS) as object;
  for (const name of ['get', 'head']) count(bucket, name, one('R2 class B'));
  for (const name of ['put', 'list', 'createMultipartUpload']) count(bucket, name, one('R2 class A'));
  for (const name of ['log', 'error']) count(console, name, one('log events'));

  patch(globalThis, 'setTimeout', (original) => {
    return function (this: object, ...args) {
      const [run, delay] = args as unknown as [() => void, number];
      const call = calls.getStore();
      const timer = (original as unknown as typeof setTimeout)(() => {
        call?.timers.delete(timer);
        run();
      }, delay);
      call?.timers.set(timer, delay);
      return timer;
    };
  });
  patch(globalThis, 'setInterval', (original) => {
    return function (this: object, ...args) {
      const [, delay] = args as unknown as [() => void, number];
      const timer = original.apply(globalThis, args);
      calls.getStore()?.timers.set(timer, delay);
      return timer;
    };
  });
  for (const name of ['clearTimeout', 'clearInterval'])
    count(globalThis, name, (timer: unknown) => void calls.getStore()?.timers.delete(timer));

  try {
    await work();
  } finally {
    for (const restore of undo.reverse()) restore();
  }
  for (const { rowsWritten, rowsRead } of cursors) {
    usage['object rows written'] += rowsWritten;
    usage['object rows read'] += rowsRead;
  }
  return { usage, statements, pendingTimers };
}

/** Public methods of an object class and its base classes, each with the prototype that has it. */
function methodsOf(prototype: object): [object, string][] {
  const found = new Map<string, object>();
  for (let owner = prototype; owner && !Object.hasOwn(owner, 'isPrototypeOf'); owner = Object.getPrototypeOf(owner)) {
    if (Object.getPrototypeOf(owner) === Object.prototype) break;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name !== 'constructor' && typeof value === 'function' && !found.has(name)) found.set(name, owner);
    }
  }
  return [...found].map(([name, owner]) => [owner, name]);
}
