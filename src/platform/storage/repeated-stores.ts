import { withOneRepeat } from '../kit/errors/infrastructure-fault.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

/** Operations of KV and R2 with the effect of one when they are repeated. A write is not repeated here: it may have a condition or a stream. */
const REPEATABLE = ['get', 'getWithMetadata', 'head', 'list', 'delete'];

/** KV namespaces and buckets whose reads and deletions are repeated once after a fault of the platform. */
export function withRepeatedStores<Bindings extends object>(env: Bindings): Bindings {
  const stores = Object.entries(env).filter(([, binding]) => isStore(binding));
  return { ...env, ...Object.fromEntries(stores.map(([name, store]) => [name, repeatReads(store as object)])) };
}

/** True for a KV namespace and for a bucket. */
function isStore(binding: unknown): boolean {
  return typeof binding === 'object' && binding !== null && ('getWithMetadata' in binding || 'createMultipartUpload' in binding);
}

function repeatReads<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = (value as Method).bind(target);
      return REPEATABLE.includes(String(name))
        ? (...args: unknown[]) =>
            withOneRepeat(
              async () => method(...args),
              () => true,
            )
        : method;
    },
  });
}
