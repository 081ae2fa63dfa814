import { bind } from '../../kit/bind.ts';
import { logError } from '../../kit/logging.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { type AddressCall, type AddressCount, localShare } from './address-counters.ts';
import type { RateLimitObject } from './rate-limit.object.ts';
import { RESERVATION_RENEWAL_MS } from './reservations.ts';
import { WRITE_THROUGH_SECONDS } from './stored-counters.ts';
import type { BucketLimits, FullSlots, SlotOfShard } from './stored-slots.ts';
import { BlockedKeys, type Charge, isRefused, type RateLimit, SeenCounts, WindowCache, windowReset } from './window.ts';

/** Key of a counted client: the name of its object, or an address. */
export type BucketKey = string | AddressKey;

/** An IP address in the buckets of one rate limit. Serializable. */
export interface AddressKey {
  /** Name of the exact object: of the address, or of its IPv6 /48 network, which counts member and network in one RPC. */
  name: string;
  /** Counter of the /64 network within the object of its /48 network; null for IPv4. */
  member: string | null;
  /** Data center that received the request; `none` when unknown. */
  location: string;
  /** Non-negative hash of the IPv4 address or /48 network, which selects a shared object of the location. */
  hash: number;
}

/** Limit of a network as a multiple of the limit of a member: bounds a client with many addresses in one network. */
export const NETWORK_FACTOR = 20;

/** Counts requests of clients by bucket key. */
export interface RateLimiter {
  /** Counts one request, or refuses it (see `isRefused`). */
  charge(key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Promise<Charge>;
  /** Counts an amount of work, or refuses it. Refusals are not cached, because a smaller amount may still be allowed. */
  chargeAmount(key: string, rateLimit: RateLimit, now: UnixSeconds, amount: number): Promise<Charge>;
  /** The cached refusal of the key in this isolate; undefined when only `charge` can decide. Counts nothing. */
  cachedRefusal(key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Charge | undefined;
  /**
   * Like `charge`, for a request that counts depending on its result. Refusals are not cached, because a reservation may end early.
   * After a crash of the Worker the reservation ends within `RESERVATION_LEASE_MS`.
   */
  reserve(key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Promise<Reservation>;
  /** Acquires or renews a slot for a stream of the client: see `StoredSlots.acquire`. */
  acquireSlot(key: BucketKey, slot: SlotOfShard, limit: number): Promise<FullSlots | null>;
  releaseSlot(key: BucketKey, id: string): Promise<void>;
}

/** An admitted or refused request (see `isRefused`), and the function that ends the reservation. */
export interface Reservation {
  charge: Charge;
  settle: Settle;
}

/** Ends a reservation; `counts`: whether the request counts. Never rejects. */
export type Settle = (counts: boolean) => Promise<void>;

/** The counts that an isolate knows of an address in a window. */
interface KnownAddress {
  /** Counts of the last reply. */
  seen: AddressCount;
  /** What the location had counted when the global object of the address took over; null before. */
  local: AddressCount | null;
}

const NOTHING_SEEN: AddressCount = { member: 0, network: 0 };

/** Objects that count the addresses of one location. */
export const DEFAULT_ADDRESS_OBJECTS = 4;

interface LimiterContext {
  objects: DurableObjectNamespace<RateLimitObject>;
  /** Number of shared objects per location. */
  addressObjects: number;
  /** Refusals, by member and by network. */
  blocked: BlockedKeys;
  /** Counts of the last replies of objects, by their name: an object may have lost its memory. */
  seenCounts: SeenCounts;
  knownAddresses: WindowCache<KnownAddress>;
}

/**
 * Rate limiter of an isolate. Counts each key in its own Durable Object, and addresses in windows under an hour in shared objects of
 * their location. Refusals are cached in memory. `addressObjects`: number of shared objects per location.
 */
export function createRateLimiter(
  objects: DurableObjectNamespace<RateLimitObject>,
  addressObjects: number = DEFAULT_ADDRESS_OBJECTS,
): RateLimiter {
  const context: LimiterContext = {
    objects,
    addressObjects,
    blocked: new BlockedKeys(),
    seenCounts: new SeenCounts(),
    knownAddresses: new WindowCache<KnownAddress>(),
  };
  return bind(context, { charge, chargeAmount, cachedRefusal, reserve, acquireSlot, releaseSlot });
}

const objectOf = (objects: LimiterContext['objects'], key: BucketKey) => objects.getByName(nameOf(key));

async function charge(context: LimiterContext, key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Promise<Charge> {
  const refusal = cachedRefusal(context, key, rateLimit, now);
  if (refusal) return refusal;
  const charged = await consume(context, key, rateLimit, now);
  if (isRefused(charged)) cacheRefusal(context, key, charged, rateLimit);
  return charged;
}

async function chargeAmount(
  { objects }: LimiterContext,
  key: string,
  rateLimit: RateLimit,
  now: UnixSeconds,
  amount: number,
): Promise<Charge> {
  const { limit, windowSeconds } = rateLimit;
  return {
    rateLimit,
    used: await objectOf(objects, key).consume(limit, windowSeconds, now, 0, amount),
    resetAt: windowReset(now, windowSeconds),
  };
}

async function consume(context: LimiterContext, key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Promise<Charge> {
  const { objects, seenCounts } = context;
  const { limit, windowSeconds } = rateLimit;
  const resetAt = windowReset(now, windowSeconds);
  if (typeof key !== 'string' && windowSeconds < WRITE_THROUGH_SECONDS) return countAddress(context, key, rateLimit, now);
  if (typeof key === 'string' || key.member === null) {
    const name = nameOf(key);
    const used = await objectOf(objects, key).consume(limit, windowSeconds, now, seenCounts.find(name, windowSeconds, now));
    seenCounts.note(name, rateLimit, now, used);
    return { rateLimit, used, resetAt };
  }
  const limits = { member: limit, network: limit * NETWORK_FACTOR };
  const { used, refusedBy } = await objectOf(objects, key).consumeMember(key.member, limits, windowSeconds, now);
  return { rateLimit: refusedBy === 'network' ? networkRateLimit(rateLimit) : rateLimit, used, resetAt };
}

/** Counts in the shared object of the location; from half of the limit on, in the global object of the address. */
async function countAddress(
  { objects, addressObjects, knownAddresses }: LimiterContext,
  key: AddressKey,
  rateLimit: RateLimit,
  now: UnixSeconds,
): Promise<Charge> {
  const { name, member } = key;
  const { limit, windowSeconds } = rateLimit;
  const cacheKey = memberKeyOf(key);
  const limits = { member: limit, network: member === null ? null : limit * NETWORK_FACTOR };
  const known = () => knownAddresses.find(cacheKey, windowSeconds, now);
  const remember = (seen: AddressCount, local: AddressCount | null) => {
    const before = known();
    const largest = { member: largerOf(seen.member, before?.seen.member), network: largerOf(seen.network, before?.seen.network) };
    knownAddresses.set(cacheKey, windowSeconds, now, { seen: largest, local: local ?? before?.local ?? null });
  };
  const callWith = (seen: AddressCount): AddressCall => ({ name, member, limits, windowSeconds, now, seen });
  const chargeOf = (used: number, charged: RateLimit = rateLimit): Charge => ({
    rateLimit: charged,
    used,
    resetAt: windowReset(now, windowSeconds),
  });
  const location = `anon:${key.location}:${key.hash % addressObjects}`;

  if (!known()?.local && localShare(limit) > 0) {
    const { count, isCounted, isGlobal } = await objects.getByName(location).countLocally(callWith(known()?.seen ?? NOTHING_SEEN));
    remember(count, isGlobal ? count : null);
    if (isCounted) return chargeOf(count.member);
  }
  const { seen, local } = known() ?? { seen: NOTHING_SEEN, local: null };
  const result = await objectOf(objects, key).countGlobally(callWith(seen), location, local ?? NOTHING_SEEN);
  const isNetworkExhausted = result.refusedBy === 'network';
  remember({ member: isNetworkExhausted ? seen.member : Math.min(result.used, limit), network: result.network }, local ?? NOTHING_SEEN);
  return chargeOf(result.used, isNetworkExhausted ? networkRateLimit(rateLimit) : rateLimit);
}

function cachedRefusal({ blocked }: LimiterContext, key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Charge | undefined {
  const refusal = blocked.find(memberKeyOf(key), rateLimit, now);
  if (refusal || typeof key === 'string' || key.member === null) return refusal;
  return blocked.find(key.name, networkRateLimit(rateLimit), now);
}

function cacheRefusal({ blocked }: LimiterContext, key: BucketKey, refusal: Charge, rateLimit: RateLimit): void {
  // A refusal of the network carries its rate limit, and then blocks every member.
  blocked.add(refusal.rateLimit === rateLimit ? memberKeyOf(key) : nameOf(key), refusal);
}

async function reserve({ objects }: LimiterContext, key: BucketKey, rateLimit: RateLimit, now: UnixSeconds): Promise<Reservation> {
  const { windowSeconds } = rateLimit;
  const member = typeof key === 'string' ? undefined : (key.member ?? undefined);
  const {
    used,
    id,
    isNetworkExhausted,
    endsInMs: lapsesInMs,
  } = await objectOf(objects, key).reserve(limitsOf(key, rateLimit.limit), windowSeconds, now, member, crypto.randomUUID());
  const reset = windowReset(now, windowSeconds);
  if (id === null) {
    const resetAt = lapsesInMs === null ? reset : Math.min(reset, now + Math.ceil(lapsesInMs / 1000));
    return { charge: { rateLimit: isNetworkExhausted ? networkRateLimit(rateLimit) : rateLimit, used, resetAt }, settle: async () => {} };
  }
  // Logged only: the write must not fail for its count. A reservation that is neither renewed nor settled ends with its lease.
  const logFailure = (error: unknown) => logError('reservation was not stored', error, { rateLimit: rateLimit.name });
  const renewal = setInterval(() => {
    objectOf(objects, key).renew(id, windowSeconds, now, member).catch(logFailure);
  }, RESERVATION_RENEWAL_MS);
  return {
    charge: { rateLimit, used, resetAt: reset },
    async settle(counts) {
      clearInterval(renewal);
      await objectOf(objects, key).settle(id, windowSeconds, now, counts, member).catch(logFailure);
    },
  };
}

const acquireSlot = async ({ objects }: LimiterContext, key: BucketKey, slot: SlotOfShard, limit: number): Promise<FullSlots | null> =>
  objectOf(objects, key).acquireSlot(slot, memberKeyOf(key), limitsOf(key, limit));

async function releaseSlot({ objects }: LimiterContext, key: BucketKey, id: string): Promise<void> {
  await objectOf(objects, key).releaseSlot(id);
}

const largerOf = (one: number, other = 0): number => Math.max(one, other);

const nameOf = (key: BucketKey): string => (typeof key === 'string' ? key : key.name);

/** Differs for the members of a network, and from the key of the network. */
const memberKeyOf = (key: BucketKey): string =>
  typeof key === 'string' || key.member === null ? nameOf(key) : `${key.name} ${key.member}`;

/** The limits of a client and, for a member of a network, of the network. */
function limitsOf(key: BucketKey, limit: number): BucketLimits {
  return { own: limit, network: typeof key === 'string' || key.member === null ? null : limit * NETWORK_FACTOR };
}

/** The shared limit of all members of a network. */
function networkRateLimit({ name, limit, windowSeconds }: RateLimit): RateLimit {
  return { name: `${name}-network`, limit: limit * NETWORK_FACTOR, windowSeconds };
}
