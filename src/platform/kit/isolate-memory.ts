import { ApiError } from './errors/api-error.ts';

/**
 * Memory that large requests and WebAssembly share, out of the 128 MiB of an isolate. The service takes about 24 MiB; the largest insert
 * needs 80 MiB.
 */
export const ISOLATE_RATE_LIMIT_BYTES = 104 * 1024 * 1024;
const RETRY_SECONDS = 5;

/** A WebAssembly instance that is kept for the next request. Its memory never shrinks, so it is dropped when others need the memory. */
export interface KeptInstance {
  /** Size of its memory in bytes. */
  bytes(): number;
  /** Stops keeping the instance. Work that uses it goes on, and has announced its memory. */
  drop(): void;
}

/** One limit for reservations of requests and for WebAssembly. All amounts are bytes. */
export interface IsolateMemory {
  /** Reserves memory. Drops kept instances if it does not fit; throws 503 if it still does not. */
  take(bytes: number): void;
  /** Frees reserved memory. */
  refund(bytes: number): void;
  /** Sum of the reservations. Zero when no request is in progress. */
  reservedBytes(): number;
  /**
   * Announces work that uses `neededBytes()` besides the memory of kept instances: it is evaluated again after instances were
   * dropped. Throws 503 if it does not fit. Returns a function that ends the work.
   */
  startWork(neededBytes: () => number): () => void;
  /** Counts an instance until the returned function is called. */
  keep(instance: KeptInstance): () => void;
  /** Calls `endExpired` when memory is short: the holder of reservations or work ends those whose request has stopped without an end. */
  onShortage(endExpired: () => void): void;
}

/** Creates a pool of `limit` bytes. An isolate has one, tests create their own. */
export function createIsolateMemory(limit: number): IsolateMemory {
  const instances = new Set<KeptInstance>();
  /** Largest memory of all instances during each running work. */
  const peaks = new Set<{ bytes: number }>();
  const holders = new Set<() => void>();
  let reserved = 0;

  const keptBytes = () => [...instances].reduce((sum, instance) => sum + instance.bytes(), 0);
  const usedBytes = () => reserved + Math.max(keptBytes(), ...[...peaks].map(({ bytes }) => bytes));

  function requireRoom(neededBytes: () => number): void {
    const fits = () => usedBytes() + neededBytes() <= limit;
    if (fits()) return;
    for (const endExpired of holders) endExpired();
    if (fits()) return;
    for (const instance of [...instances]) instance.drop();
    if (!fits()) {
      const headers = { 'Retry-After': String(RETRY_SECONDS) };
      throw new ApiError('service_unavailable', 'too many large requests are in progress', { headers });
    }
  }

  return {
    take(bytes) {
      requireRoom(() => bytes);
      reserved += bytes;
    },
    refund(bytes) {
      reserved -= bytes;
    },
    reservedBytes: () => reserved,
    startWork(neededBytes) {
      requireRoom(neededBytes);
      const peak = { bytes: keptBytes() + neededBytes() };
      peaks.add(peak);
      return () => void peaks.delete(peak);
    },
    keep(instance) {
      instances.add(instance);
      return () => void instances.delete(instance);
    },
    onShortage(endExpired) {
      holders.add(endExpired);
    },
  };
}

/** The memory of this isolate. */
export const isolateMemory = createIsolateMemory(ISOLATE_RATE_LIMIT_BYTES);

/** The memory that an instance exports; undefined if it imports its memory. */
export function memoryOf({ exports }: WebAssembly.Instance): WebAssembly.Memory | undefined {
  return Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
}
