/** Where a hop goes, seen from the reader. `near`, `far`: Durable Objects at the location of the reader, and next to the database. */
export type Place = 'primary' | 'replica' | 'near' | 'far' | 'kv' | 'r2';

/** Duration of a hop to each place, in milliseconds. `lag`: how long a replica lacks a write after the writer got its response. */
export type Delays = Readonly<Record<Place | 'lag', number>>;

export const DEFAULT_DELAYS: Delays = { primary: 280, replica: 15, near: 8, far: 300, kv: 5, r2: 30, lag: 50 };

/** One use of a binding. Times are virtual milliseconds. */
export interface Hop {
  place: Place;
  /** The SQL text, or binding, name and method. */
  what: string;
  /** True for a hop that an object made. */
  fromObject: boolean;
  startedAt: number;
  /** Infinity while it is pending. */
  endedAt: number;
}

/** A finished request: its virtual duration and hops. Later hops ran in the background. */
export interface Trip<Result> {
  result: Result;
  startedAt: number;
  endedAt: number;
  hops: Hop[];
}

/** Objects that the first reader creates at its own location. All others lie next to the database. */
const NEAR_OBJECTS = new Set(['RATE_LIMITS', 'TOKEN_GATES', 'IDEMPOTENCY', 'EVENT_SHARDS']);
/** Turns after which a trip counts as stuck. */
const MAX_TURNS = 20_000;
/** Time limits of the service are longer than any trip takes in virtual time. In real time a trip may take longer on a busy machine. */
const MIN_TIME_LIMIT_MS = 1000;
const TIME_LIMIT_FACTOR = 100;

type Method = (...args: unknown[]) => unknown;

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Replaces methods of an object. All others are bound to it. */
function withMethods<Target extends object>(target: Target, methods: Record<string, unknown>): Target {
  return new Proxy(target, {
    get(original, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property];
      const value: unknown = Reflect.get(original, property);
      return typeof value === 'function' ? (value as Method).bind(original) : value;
    },
  });
}

/** The bookmark of a session that has run a statement, otherwise null. */
const bookmarkOf = (client: object): string | null => ('getBookmark' in client ? (client as D1DatabaseSession).getBookmark() : null);

export const isRead = (text: string): boolean =>
  /^\s*(?:select|with|explain)\b/i.test(text) && !/\b(?:insert|update|delete|replace)\s/i.test(text);

/** Called in place of each use of a binding; `work` makes the use. */
export interface Interceptor {
  /** `constraint`: of the session, or that of the primary. */
  database<Result>(client: object, constraint: string, texts: readonly string[], work: () => Promise<Result>): Promise<Result>;
  object<Result>(binding: string, name: string, method: string, work: () => Promise<Result>): Promise<Result>;
  store<Result>(place: 'kv' | 'r2', binding: string, method: string, key: string, work: () => Promise<Result>): Promise<Result>;
  /** Static assets, which are stored at every location. */
  assets<Result>(work: () => Promise<Result>): Promise<Result>;
}

const STORE_METHODS = { kv: ['get', 'getWithMetadata', 'put', 'delete', 'list'], r2: ['get', 'head', 'put', 'delete', 'list'] };

function wrapDatabase(database: D1Database, interceptor: Interceptor): D1Database {
  const inner = new WeakMap<object, { statement: D1PreparedStatement; text: string }>();

  function wrapClient<Client extends Pick<D1Database, 'prepare' | 'batch'>>(client: Client, constraint: string): Client {
    function wrapStatement(statement: D1PreparedStatement, text: string): D1PreparedStatement {
      const runs = ['first', 'all', 'raw', 'run'].map((name) => {
        const method = Reflect.get(statement, name) as Method;
        return [name, (...args: unknown[]) => interceptor.database(client, constraint, [text], async () => method.apply(statement, args))];
      });
      const wrapped = withMethods(statement, {
        ...Object.fromEntries(runs),
        bind: (...values: unknown[]) => wrapStatement(statement.bind(...values), text),
      });
      inner.set(wrapped, { statement, text });
      return wrapped;
    }

    return withMethods(client, {
      prepare: (text: string) => wrapStatement(client.prepare(text), text),
      batch: (statements: D1PreparedStatement[]) => {
        const plain = statements.map((statement) => inner.get(statement) ?? { statement, text: '' });
        const texts = plain.map(({ text }) => text);
        return interceptor.database(client, constraint, texts, () => client.batch(plain.map(({ statement }) => statement)));
      },
    });
  }

  return withMethods(wrapClient(database, 'first-primary'), {
    withSession: (constraint = 'first-unconstrained') => wrapClient(database.withSession(constraint), constraint),
  });
}

function wrapNamespace(binding: string, objects: DurableObjectNamespace, interceptor: Interceptor): DurableObjectNamespace {
  return withMethods(objects, {
    getByName(name: string, ...options: [DurableObjectNamespaceGetDurableObjectOptions?]) {
      const stub = objects.getByName(name, ...options);
      return new Proxy(stub, {
        get(target, method) {
          const value: unknown = Reflect.get(target, method);
          if (typeof value !== 'function' || typeof method !== 'string') return value;
          const call = async (args: unknown[]) => (target as unknown as Record<string, Method>)[method]?.(...args);
          return (...args: unknown[]) => interceptor.object(binding, name, method, () => call(args));
        },
      });
    },
  });
}

/** Replaces methods of a KV namespace or a bucket. */
function wrapStore<Store extends object>(place: 'kv' | 'r2', binding: string, store: Store, interceptor: Interceptor): Store {
  const methods = STORE_METHODS[place].map((name) => {
    const method = Reflect.get(store, name) as Method;
    return [name, (...args: unknown[]) => interceptor.store(place, binding, name, String(args[0]), async () => method.apply(store, args))];
  });
  return withMethods(store, Object.fromEntries(methods));
}

/** The bindings of the service with an interceptor before each. */
export function wrapBindings<Bindings extends object>(env: Bindings, interceptor: Interceptor): Bindings {
  const wrapped = Object.entries(env).map(([name, binding]: [string, object | string]) => {
    if (typeof binding !== 'object' || binding === null) return [name, binding];
    if ('withSession' in binding) return [name, wrapDatabase(binding as D1Database, interceptor)];
    if ('getByName' in binding) return [name, wrapNamespace(name, binding as DurableObjectNamespace, interceptor)];
    if ('getWithMetadata' in binding) return [name, wrapStore('kv', name, binding, interceptor)];
    if ('createMultipartUpload' in binding) return [name, wrapStore('r2', name, binding, interceptor)];
    if (!('fetch' in binding)) return [name, binding];
    const { fetch } = binding as Fetcher;
    return [
      name,
      withMethods(binding, {
        fetch: (...args: Parameters<Fetcher['fetch']>) => interceptor.assets(async () => fetch.apply(binding, args)),
      }),
    ];
  });
  return Object.fromEntries(wrapped);
}

/**
 * Simulates a service whose reader is far from the database. Hops take virtual time: the clock advances to the end of the next hop when
 * the service waits for nothing else, so results do not depend on the speed of the machine. One trip at a time; between trips, bindings
 * respond at once.
 */
export function createSimulator(delays: Delays = DEFAULT_DELAYS) {
  let isActive = false;
  let now = 0;
  let hops: Hop[] = [];
  /** Incremented with each event, so that the driver sees activity. */
  let events = 0;
  /** Operations at bindings that run in real time. */
  let running = 0;
  /** Calls of objects in progress. They may wait for hops of their own. */
  let objectCalls = 0;
  let pending: { due: number; fromObject: boolean; resolve: () => void }[] = [];
  /** The newest write, which replicas have after the lag. */
  let newest: { bookmark: string; until: number } | null = null;
  let clockOffset = 0;

  const realNow = Date.now;
  const realPerformanceNow = performance.now.bind(performance);
  const setRealTimeout = globalThis.setTimeout;

  async function wait(milliseconds: number, fromObject: boolean): Promise<void> {
    events += 1;
    if (!fromObject) {
      return new Promise((resolve) => {
        pending.push({ due: now + milliseconds, fromObject, resolve });
      });
    }
    // An object polls: the runtime does not let another object resolve its promise.
    let isDue = false;
    const resolve = () => {
      isDue = true;
    };
    pending.push({ due: now + milliseconds, fromObject, resolve });
    while (!isDue) await nextTurn();
  }

  async function hop<Result>(place: Place, what: string, fromObject: boolean, work: () => Promise<Result>, more = 0): Promise<Result> {
    if (!isActive) return work();
    const record: Hop = { place, what, fromObject, startedAt: now, endedAt: Number.POSITIVE_INFINITY };
    hops.push(record);
    events += 1;
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      await wait(delays[place] + more, fromObject);
      record.endedAt = now;
    }
  }

  async function callObject<Result>(place: Place, what: string, fromObject: boolean, work: () => Promise<Result>): Promise<Result> {
    if (!isActive) return work();
    const record: Hop = { place, what, fromObject, startedAt: now, endedAt: Number.POSITIVE_INFINITY };
    hops.push(record);
    await wait(delays[place], fromObject);
    objectCalls += 1;
    try {
      return await work();
    } finally {
      objectCalls -= 1;
      events += 1;
      record.endedAt = now;
    }
  }

  /** The bindings of the service behind the distance. */
  function wrap<Bindings extends object>(env: Bindings, fromObject = false): Bindings {
    return wrapBindings(env, {
      async database(client, constraint, texts, work) {
        const reads = texts.every(isRead);
        // A session has a bookmark after its first statement, and then needs only a replica that has reached it.
        const start = bookmarkOf(client) ?? constraint;
        const place = start === 'first-primary' || !reads ? 'primary' : 'replica';
        const isBehind = place === 'replica' && newest !== null && start >= newest.bookmark && start !== 'first-unconstrained';
        const lag = isBehind && newest ? Math.max(0, newest.until - now) : 0;
        const what = `${texts.length > 1 ? `${texts.length} statements: ` : ''}${texts[0]?.replaceAll(/\s+/g, ' ').slice(0, 100) ?? ''}`;
        const result = await hop(place, what, fromObject, work, lag);
        const bookmark = bookmarkOf(client);
        if (!reads && bookmark) newest = { bookmark, until: now + delays.lag };
        return result;
      },
      object: (binding, name, method, work) =>
        callObject(NEAR_OBJECTS.has(binding) ? 'near' : 'far', `${binding} ${name} ${method}`, fromObject, work),
      store: (place, binding, method, key, work) => hop(place, `${binding} ${method} ${key}`, fromObject, work),
      async assets(work) {
        running += 1;
        try {
          return await work();
        } finally {
          running -= 1;
          events += 1;
        }
      },
    });
  }

  /** True when everything that runs waits for the virtual clock. */
  function isWaiting(): boolean {
    return running === 0 && objectCalls <= pending.filter(({ fromObject }) => fromObject).length;
  }

  function advance(): void {
    const due = Math.min(...pending.map((hop) => hop.due));
    const ended = pending.filter((hop) => hop.due === due);
    pending = pending.filter((hop) => hop.due !== due);
    now = due;
    events += 1;
    for (const { resolve } of ended) resolve();
  }

  return {
    wrap,

    /** Runs one request and its background work. */
    async run<Result>(work: () => Promise<Result>): Promise<Trip<Result>> {
      isActive = true;
      hops = [];
      const startedAt = now;
      let outcome: { result: Result; endedAt: number } | { error: unknown } | null = null;
      work().then(
        (result) => {
          outcome = { result, endedAt: now };
          events += 1;
        },
        (error: unknown) => {
          outcome = { error };
          events += 1;
        },
      );
      let turns = 0;
      // The clock advances after a turn of the event loop, a millisecond, in which nothing happened.
      for (let seen = events; ; ) {
        await nextTurn();
        turns += 1;
        if (turns > MAX_TURNS) throw new Error(`a trip does not end: ${JSON.stringify(hops.slice(-5))}`);
        if (seen !== events || !isWaiting()) seen = events;
        else if (pending.length > 0) advance();
        else if (outcome !== null) break;
      }
      isActive = false;
      const ended = outcome as unknown as { result: Result; endedAt: number } | { error: unknown };
      if ('error' in ended) throw ended.error;
      return { ...ended, startedAt, hops };
    },

    /** Advances the clock of the isolate, which ages its caches. The replicas catch up. */
    advanceClock(milliseconds: number): void {
      clockOffset += milliseconds;
      now += milliseconds;
    },

    /**
     * Replaces the clocks of the isolate, so that `advanceClock` has an effect, and lengthens the time limits of the service during a
     * trip. Returns a function that restores them.
     */
    installClock(): () => void {
      Date.now = () => realNow() + clockOffset;
      performance.now = () => realPerformanceNow() + clockOffset;
      globalThis.setTimeout = ((work: () => void, delayMs = 0) =>
        setRealTimeout(work, isActive && delayMs >= MIN_TIME_LIMIT_MS ? delayMs * TIME_LIMIT_FACTOR : delayMs)) as typeof setTimeout;
      return () => {
        Date.now = realNow;
        globalThis.setTimeout = setRealTimeout;
        // The original is inherited.
        Reflect.deleteProperty(performance, 'now');
      };
    },
  };
}

export type Simulator = ReturnType<typeof createSimulator>;

/** The hops that the response waited for one after another, in order. */
export function hopsInSequence({ startedAt, endedAt, hops }: Trip<unknown>): Hop[] {
  const sequence: Hop[] = [];
  const outer = hops.filter(({ fromObject }) => !fromObject);
  for (let at = endedAt; at > startedAt; ) {
    const last = outer
      .filter((hop) => hop.endedAt <= at && hop.endedAt > hop.startedAt && !sequence.includes(hop))
      .sort((one, other) => other.endedAt - one.endedAt || one.startedAt - other.startedAt)[0];
    if (!last) break;
    sequence.unshift(last);
    at = last.startedAt;
  }
  return sequence;
}

/** Hops that objects made within the given hop. */
export function hopsWithin(outer: Hop, { hops }: Trip<unknown>): Hop[] {
  return hops.filter(({ fromObject, startedAt, endedAt }) => fromObject && startedAt >= outer.startedAt && endedAt <= outer.endedAt);
}

/** Length of the longest chain of hops, each of which began after the one before had ended. */
export function longestChain(hops: readonly Hop[]): number {
  let length = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of hops.toSorted((one, other) => one.endedAt - other.endedAt)) {
    if (startedAt < end) continue;
    length += 1;
    end = endedAt;
  }
  return length;
}

type ObjectClass = new (ctx: DurableObjectState, env: never) => object;

/** The Durable Object classes of the service, with bindings that `simulator` wraps. */
export function wrapObjects<Exports extends Record<string, unknown>>(exports: Exports, simulator: Pick<Simulator, 'wrap'>): Exports {
  const wrapped = Object.entries(exports).flatMap(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Object')) return [];
    const Base = value as ObjectClass;
    class Remote extends Base {
      readonly #ctx: DurableObjectState;

      constructor(ctx: DurableObjectState, env: never) {
        super(ctx, simulator.wrap(env, true));
        this.#ctx = ctx;
      }

      /** Ends the object, so that the next call loads it from its storage. */
      simulateEviction(): void {
        this.#ctx.abort('evicted by the simulator');
      }
    }
    return [[name, Remote]];
  });
  return Object.fromEntries(wrapped) as Exports;
}
