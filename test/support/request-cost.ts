import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { createMemoryPool, type MemoryPool } from '../../src/platform/http/bodies/memory-pool.ts';
import { isolateMemory } from '../../src/platform/kit/isolate-memory.ts';
import { type RandomSource, seededRandom } from '../../src/platform/kit/random.ts';
import { type Fetch, freshInstant, ORIGIN } from './requests.ts';

/** A request of a search. */
export interface CostlyRequest {
  path: string;
  method?: string;
  authorization?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The endpoint holds its body and response in a reservation of its own, which ends with the last byte of the response. */
  isReserved?: boolean;
  /** Clock of the request; default: a new instant. */
  now?: number;
}

export interface Cost {
  /** Milliseconds without waiting for storage: the processor time of the runtime, or the time of the clock if that is less. */
  workMs: number;
  /** Milliseconds of waiting for the database or a bucket. */
  storageMs: number;
  status: number;
  requestBytes: number;
  responseBytes: number;
  /** Bytes of the body held without a reservation, and of a response built in memory without one. 0 for work without a request. */
  unreservedBytes: number;
}

export interface Search<Plan> {
  /** Initial requests, near the limits. */
  plans: readonly Plan[];
  /** Returns a variation of a plan. */
  change?(plan: Plan, random: RandomSource): Plan;
  steps?: number;
  /** `round` differs with each call, to avoid cached responses. */
  cost(plan: Plan, round: number): Promise<Cost>;
}

export interface Worst<Plan> extends Cost {
  plan: Plan;
  /** Number of measured candidates. */
  tried: number;
  /** Largest response of all candidates, and the largest unreserved memory, of refused candidates too. */
  maxResponseBytes: number;
  maxUnreservedBytes: number;
}

/** Number of measurements of the worst candidate. The lowest counts, because other load increases single figures. */
const REPEATS = 3;
/** Time limit of a search in milliseconds, without the repeats of its worst candidate. */
const SEARCH_MS = 6_000;

/** Operations of storage that run now. */
let waiting = 0;
let waitingSince: Clocks = { elapsed: 0, processor: 0 };
let waited: Clocks = { elapsed: 0, processor: 0 };

/** Milliseconds of the clock, and processor milliseconds of this runtime: the same where the system does not tell them. */
interface Clocks {
  elapsed: number;
  processor: number;
}

/** Reads the clocks. The thread of the runtime runs the local storage too, so each wait for storage is measured with both. */
async function readClocks(): Promise<Clocks> {
  const text = await (await fetch(inject('processorTime'))).text();
  const elapsed = performance.now();
  return { elapsed, processor: text === '' ? elapsed : Number(text) };
}

const since = (from: Clocks, to: Clocks): Clocks => ({ elapsed: to.elapsed - from.elapsed, processor: to.processor - from.processor });

async function waitFor<Value>(start: () => Promise<Value>): Promise<Value> {
  waiting += 1;
  if (waiting === 1) waitingSince = await readClocks();
  try {
    return await start();
  } finally {
    waiting -= 1;
    if (waiting === 0) {
      const from = waitingSince;
      const { elapsed, processor } = since(from, await readClocks());
      waited = { elapsed: waited.elapsed + elapsed, processor: waited.processor + processor };
    }
  }
}

function timedStatement(inner: D1PreparedStatement): D1PreparedStatement {
  return new Proxy(inner, {
    get(target, property) {
      if (property === 'inner') return target;
      if (property === 'bind') return (...values: unknown[]) => timedStatement(target.bind(...values));
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (...args: unknown[]) => waitFor(() => value.apply(target, args) as Promise<unknown>) : value;
    },
  });
}

/** Wraps the database to sum up the waiting time. */
function timedDatabase(database: D1Database): D1Database {
  const innerOf = (statement: D1PreparedStatement) => (statement as unknown as { inner: D1PreparedStatement }).inner;
  return new Proxy(database, {
    get(target, property) {
      // Without sessions all statements use this binding and are timed.
      if (property === 'withSession') return undefined;
      if (property === 'prepare') return (sql: string) => timedStatement(target.prepare(sql));
      if (property === 'batch') return (statements: D1PreparedStatement[]) => waitFor(() => target.batch(statements.map(innerOf)));
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Wraps a bucket to sum up the waiting time. */
function timedBucket(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      if (property === 'resumeMultipartUpload') return value.bind(target);
      return (...args: unknown[]) => waitFor(() => value.apply(target, args) as Promise<unknown>);
    },
  });
}

/** Bindings that sum up waiting time. */
export function timedBindings() {
  return {
    DB: timedDatabase(env.DB),
    ARCHIVE: timedBucket(env.ARCHIVE),
    BOARDS: timedBucket(env.BOARDS),
    OUTBOX: timedBucket(env.OUTBOX),
  };
}

/**
 * Measures work that uses the timed bindings. In tests the clock advances while code runs, and while other processes run; processor time
 * advances only while this runtime runs.
 */
export async function costOf(work: () => Promise<Pick<Cost, 'status' | 'requestBytes' | 'responseBytes'> & Partial<Cost>>): Promise<Cost> {
  const startedAt = await readClocks();
  waited = { elapsed: 0, processor: 0 };
  // Waits of earlier work that goes on in the background.
  waitingSince = startedAt;
  const sizes = await work();
  const { elapsed, processor } = since(waited, since(startedAt, await readClocks()));
  return { workMs: Math.min(elapsed, processor), storageMs: waited.elapsed, unreservedBytes: 0, ...sizes };
}

/** Measures a request from its arrival to the last byte of the response. */
export function costOfRequest(
  fetch: Fetch,
  { path, method = 'GET', authorization, body, headers = {}, now, isReserved = false }: CostlyRequest,
): Promise<Cost> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const sent = new Headers({ 'X-Test-Now': String(now ?? freshInstant()), 'CF-Connecting-IP': '10.20.30.40', ...headers });
  if (authorization !== undefined) sent.set('Authorization', authorization);
  if (bytes) sent.set('Content-Length', String(bytes.byteLength));
  const request = new Request(ORIGIN + path, { method, headers: sent, body: bytes ?? null });
  const bodyBytes = bytes?.byteLength ?? 0;
  return costOf(async () => {
    maxReserved = 0;
    const response = await fetch(request);
    const responseBytes = (await response.arrayBuffer()).byteLength;
    const unreservedBytes = isReserved ? 0 : Math.max(0, bodyBytes - maxReserved) + responseBytes;
    return { status: response.status, requestBytes: bodyBytes || path.length, responseBytes, unreservedBytes };
  });
}

let maxReserved = 0;

/** The memory of an application, which records the largest amount that the body of the measured request reserves. */
export function recordedMemory(): MemoryPool {
  const memory = createMemoryPool(isolateMemory);
  return {
    open(signal) {
      const reservation = memory.open(signal);
      let reserved = 0;
      return {
        ...reservation,
        grow(amount) {
          reservation.grow(amount);
          reserved += amount;
          maxReserved = Math.max(maxReserved, reserved);
        },
      };
    },
  };
}

/** Hill climbing: keeps small changes that take longer, and in turn small changes with a larger response. */
export async function searchWorst<Plan>(seed: string, { plans, change, steps = 12, cost }: Search<Plan>): Promise<Worst<Plan>> {
  const random = seededRandom(seed);
  const startedAt = performance.now();
  let round = 0;
  let worst: { plan: Plan; cost: Cost } | null = null;
  let largest: { plan: Plan; bytes: number } | null = null;
  let maxUnreservedBytes = 0;
  const tryPlan = async (plan: Plan) => {
    round += 1;
    const measured = await cost(plan, round);
    maxUnreservedBytes = Math.max(maxUnreservedBytes, measured.unreservedBytes);
    if (measured.status < 400 && measured.responseBytes > (largest?.bytes ?? -1)) largest = { plan, bytes: measured.responseBytes };
    if (measured.status < 400 && (worst === null || measured.workMs > worst.cost.workMs)) worst = { plan, cost: measured };
    return measured;
  };
  const refused: string[] = [];
  for (const plan of plans) {
    const { status, workMs } = await tryPlan(plan);
    if (status >= 400) refused.push(`${JSON.stringify(plan)} ${status} after ${Math.round(workMs)} ms`);
  }
  for (let step = 0; change && worst !== null && step < steps && performance.now() - startedAt < SEARCH_MS; step += 1) {
    const base = (step % 2 === 0 ? worst : largest) as { plan: Plan } | null;
    await tryPlan(change((base ?? (worst as { plan: Plan })).plan, random));
  }
  if (refused.length > 0) console.log(`${seed}: refused: ${refused.join('; ')}`);
  if (worst === null) throw new Error(`all requests were refused: ${refused.join('; ')}`);
  const result = worst as { plan: Plan; cost: Cost };
  const tried = round;
  let least: Cost = result.cost;
  for (let repeat = 1; repeat < REPEATS; repeat += 1) {
    round += 1;
    const measured = await cost(result.plan, round);
    if (measured.status < 400 && measured.workMs < least.workMs) least = measured;
  }
  const maxResponseBytes = (largest as { bytes: number } | null)?.bytes ?? 0;
  return { plan: result.plan, tried, maxResponseBytes, maxUnreservedBytes, ...least };
}
