import type { DurableObject } from 'cloudflare:workers';
import type { Repeat } from './platform/durable/object-calls.ts';

type ObjectBinding = { [Name in keyof Env]-?: Env[Name] extends DurableObjectNamespace<infer _> ? Name : never }[keyof Env];
type InstanceOf<Name extends ObjectBinding> = Env[Name] extends DurableObjectNamespace<infer Instance> ? Instance : never;
type MethodOf<Name extends ObjectBinding> = Exclude<keyof InstanceOf<Name> & string, keyof DurableObject | `__${string}`>;

/** Compiles only with an entry for each RPC method of each object. `fetch`: of the objects that are called with requests. */
type Repeats = {
  readonly [Name in ObjectBinding]: Readonly<Record<MethodOf<Name>, Repeat>> & { readonly fetch?: Repeat };
};

/**
 * The repeats of every method of every object, by binding. Part of the contracts of objects (`src/object-contracts.ts`): a version that
 * makes a method unsafe would meet Workers that repeat it.
 */
export const OBJECT_REPEATS = {
  // A repeated count counts at most one request, or amount, too many.
  RATE_LIMITS: {
    acquireSlot: 'keyed',
    consume: 'safe',
    consumeMember: 'safe',
    countGlobally: 'safe',
    countLocally: 'safe',
    releaseSlot: 'safe',
    renew: 'safe',
    reserve: 'keyed',
    settle: 'keyed',
  },
  TOKEN_GATES: {
    acquireSlot: 'keyed',
    // The finished requests that it reports have a key.
    admit: 'safe',
    apply: 'safe',
    countUsed: 'safe',
    endStreams: 'safe',
    erase: 'safe',
    heldVersion: 'safe',
    inspect: 'safe',
    listRequests: 'safe',
    recordUsage: 'keyed',
    releaseSlot: 'safe',
    summarizeUsage: 'safe',
    usageTotals: 'safe',
  },
  IDEMPOTENCY: { claim: 'keyed', release: 'safe', renew: 'safe', store: 'safe' },
  EVENT_COORDINATOR: {
    announce: 'keyed',
    eventsAfter: 'safe',
    heartbeat: 'safe',
    join: 'safe',
    publish: 'safe',
    resume: 'safe',
    setTestOffset: 'safe',
    wake: 'safe',
  },
  // A stream is opened in the next shard instead, with a slot of its own.
  EVENT_SHARDS: { catchUp: 'safe', connections: 'safe', endStreamsOf: 'safe', fetch: 'never', publish: 'safe', releaseLostSlots: 'safe' },
  BOARDS_INGEST: { enqueue: 'safe', isIdle: 'safe', processNow: 'keyed' },
  MOD_DOWNLOADS: { record: 'keyed' },
  MODS_MIRROR: { start: 'safe' },
  ARCHIVE_SYNC: { isRunning: 'safe', start: 'safe' },
  CODEX_INDEX: { start: 'safe' },
  // A test posts a message to the chat.
  WEBHOOK_SENDERS: { postTest: 'never', wake: 'safe' },
  SERVICE_STATUS: { read: 'safe', record: 'safe', readAnnouncements: 'safe', changeAnnouncements: 'safe' },
  BACKUP: { start: 'safe', state: 'safe' },
} as const satisfies Repeats;
