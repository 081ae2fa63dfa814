import { env } from 'cloudflare:workers';
import { type RandomSource, seededRandom } from '../../src/platform/values/random-source.ts';
import { type Fetch, freshInstant, ORIGIN } from './requests.ts';

/** A request of a search. */
export interface CostlyRequest {
  path: string;
  method?: string;
  authorization?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Clock of the request; default: a new instant. */
  now?: number;
}

export interface Cost {
  /** Milliseconds without waiting for storage: an upper bound of the CPU time. */
  workMs: number;
  /** Milliseconds of waiting for the database or a bucket. */
  storageMs: number;
  status: number;
  requestBytes: number;
  responseBytes: number;
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
}

/** Number of measurements of the worst candidate. The lowest counts, because other load increases single figures. */
const REPEATS = 3;
/** Time limit of a search in milliseconds, without the repeats of its worst candidate. */
const SEARCH_MS = 6_000;

let waiting = 0;
let waitingSince = 0;
let waited = 0;

function waitFor<Value>(promise: Promise<Value>): Promise<Value> {
  if (waiting === 0) waitingSince = performance.now();
  waiting += 1;
  return promise.finally(() => {
    waiting -= 1;
    if (waiting === 0) waited += performance.now() - waitingSince;
  });
}

function timedStatement(inner: D1PreparedStatement): D1PreparedStatement {
  return new Proxy(inner, {
    get(target, property) {
      if (property === 'inner') return target;
      if (property === 'bind') return (...values: unknown[]) => timedStatement(target.bind(...values));
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (...args: unknown[]) => waitFor(value.apply(target, args) as Promise<unknown>) : value;
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
      if (property === 'batch') return (statements: D1PreparedStatement[]) => waitFor(target.batch(statements.map(innerOf)));
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
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        return result instanceof Promise ? waitFor(result) : result;
      };
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

/** Measures work that uses the timed bindings. In tests the clock advances while code runs. */
export async function costOf(work: () => Promise<Pick<Cost, 'status' | 'requestBytes' | 'responseBytes'>>): Promise<Cost> {
  waited = 0;
  const startedAt = performance.now();
  const sizes = await work();
  const elapsed = performance.now() - startedAt;
  return { workMs: elapsed - waited, storageMs: waited, ...sizes };
}

/** Measures a request from its arrival to the last byte of the response. */
export function costOfRequest(
  fetch: Fetch,
  { path, method = 'GET', authorization, body, headers = {}, now }: CostlyRequest,
): Promise<Cost> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const sent = new Headers({ 'X-Test-Now': String(now ?? freshInstant()), 'CF-Connecting-IP': '10.20.30.40', ...headers });
  if (authorization !== undefined) sent.set('Authorization', authorization);
  if (bytes) sent.set('Content-Length', String(bytes.byteLength));
  const request = new Request(ORIGIN + path, { method, headers: sent, body: bytes ?? null });
  return costOf(async () => {
    const response = await fetch(request);
    const responseBytes = (await response.arrayBuffer()).byteLength;
    return { status: response.status, requestBytes: bytes?.byteLength ?? path.length, responseBytes };
  });
}

/** Hill climbing from the most expensive plan: keeps small changes that cost more. */
export async function searchWorst<Plan>(seed: string, { plans, change, steps = 12, cost }: Search<Plan>): Promise<Worst<Plan>> {
  const random = seededRandom(seed);
  const startedAt = performance.now();
  let round = 0;
  let worst: { plan: Plan; cost: Cost } | null = null;
  const tryPlan = async (plan: Plan) => {
    round += 1;
    const measured = await cost(plan, round);
    if (measured.status < 400 && (worst === null || measured.workMs > worst.cost.workMs)) worst = { plan, cost: measured };
    return measured;
  };
  const refused: string[] = [];
  for (const plan of plans) {
    const { status, workMs } = await tryPlan(plan);
    if (status >= 400) refused.push(`${JSON.stringify(plan)} ${status} after ${Math.round(workMs)} ms`);
  }
  for (let step = 0; change && worst !== null && step < steps && performance.now() - startedAt < SEARCH_MS; step += 1) {
    await tryPlan(change((worst as { plan: Plan }).plan, random));
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
  return { plan: result.plan, tried, ...least };
}
