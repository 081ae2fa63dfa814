import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/** Objects whose stubs were made since the last `forgetUsedObjects`, by id. The one that was used last is the last. */
const used = new Map<string, () => DurableObjectStub>();

/** Methods that create a key of a namespace or an object of a bucket. */
const WRITES: readonly string[] = ['put', 'createMultipartUpload'];

/** Classes of namespaces and buckets that were written to since the last `forgetUsedObjects`. */
const written = new Set<string>();

/** Objects that are started at a time. */
const BATCH = 50;

/** Objects that are looked into after a reset, which starts them: those that were used last, because their work may not have ended. */
const MAX_LOOKS = 10;

let isNoting = false;

/** Notes from now on what the service and the tests use. The runtime can only list the objects of all test files. */
export function noteUsedObjects(): void {
  if (isNoting) return;
  isNoting = true;
  const prototype = Object.getPrototypeOf(env.RATE_LIMITS) as DurableObjectNamespace;
  const { get, getByName } = prototype;
  const note = (objects: DurableObjectNamespace, id: DurableObjectId) => {
    used.delete(id.toString());
    used.set(id.toString(), () => get.call(objects, id));
  };
  prototype.get = function (this: DurableObjectNamespace, id, options) {
    note(this, id);
    return get.call(this, id, options);
  };
  prototype.getByName = function (this: DurableObjectNamespace, name, options) {
    note(this, this.idFromName(name));
    return getByName.call(this, name, options);
  };
  for (const binding of [env.CACHE, env.OUTBOX]) noteWrites(Object.getPrototypeOf(binding));
}

function noteWrites(prototype: Record<string, (...input: unknown[]) => unknown>): void {
  for (const name of WRITES) {
    const write = prototype[name];
    if (!write) continue;
    prototype[name] = function (...input) {
      written.add(prototype.constructor.name);
      return write.apply(this, input);
    };
  }
}

export function forgetUsedObjects(): void {
  used.clear();
  written.clear();
}

/** Whether a namespace or bucket of the class was written to. Another one needs no look, which would create its object. */
export const isWritten = (binding: KVNamespace | R2Bucket) => written.has(binding.constructor.name);

/** The used objects of a namespace. */
export function usedObjectsOf<Class extends Rpc.DurableObjectBranded>(objects: DurableObjectNamespace<Class>): DurableObjectStub<Class>[] {
  return [...used.keys()].flatMap((id) => {
    try {
      return [objects.get(objects.idFromString(id))];
    } catch {
      // An id of another namespace.
      return [];
    }
  });
}

/** Starts the objects that the runtime evicted, as it does after 10 s without a call: a reset keeps their storage. */
export async function startUsedObjects(): Promise<void> {
  const stubs = [...used.values()];
  for (let start = 0; start < stubs.length; start += BATCH) {
    // An object that was aborted rejects its first call.
    await Promise.all(stubs.slice(start, start + BATCH).map((makeStub) => runInDurableObject(makeStub(), () => {}).catch(() => {})));
  }
}

/** Classes of used objects that have a key or an alarm. */
export async function findStoredObjects(): Promise<string[]> {
  const names = await Promise.all(
    [...used.values()].slice(-MAX_LOOKS).map((makeStub) =>
      runInDurableObject(makeStub(), async (object, { storage }) => {
        const isEmpty = (await storage.getAlarm()) === null && (await storage.list({ limit: 1 })).size === 0;
        return isEmpty ? [] : [object.constructor.name];
      }),
    ),
  );
  return [...new Set(names.flat())];
}
