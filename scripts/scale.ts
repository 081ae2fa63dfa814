import { parseArgs } from 'node:util';
import { happens, randomUnit, seededRandom } from '../src/platform/values/random-source.ts';
import { runMain } from './lib/main.ts';
import { type Costs, SimClock, SimObject } from './lib/scale/sim-object.ts';

/** Monthly prices of the paid plan in dollars (developers.cloudflare.com, read 2026-11-22): included amount, and price of each further unit. */
const PRICES = {
  'Worker requests': { included: 10e6, each: 0.3e-6 },
  'Worker CPU ms': { included: 30e6, each: 0.02e-6 },
  'object requests': { included: 1e6, each: 0.15e-6 },
  'object GB-s': { included: 400_000, each: 12.5e-6 },
  'object rows written': { included: 50e6, each: 1e-6 },
  'object GB stored': { included: 5, each: 0.2 },
  'D1 rows written': { included: 50e6, each: 1e-6 },
  'D1 rows read': { included: 25e9, each: 0.001e-6 },
  'D1 GB stored': { included: 5, each: 0.75 },
} as const;
type Item = keyof typeof PRICES;

const DAY = 86_400;
/** Maximum simulated requests per token; results are scaled up. */
const MAX_EVENTS = 40_000;
const SAMPLES = 48;
/** An object idle for this long is evicted and must read the token's row again. */
const EVICTION_SECONDS = 10;
const RECORD_SECONDS = 30;
/** Rows read by a look-up: token and account, each with an index. */
const ROWS_OF_LOOKUP = 4;
/** Bytes of a day row: 64 measured with full pages, plus an allowance for split pages. */
const DAY_ROW_BYTES = 90;
/** CPU time of a request, and object duration of a request, from `npm run bench`. */
const CPU_MS = 0.5;
const OBJECT_MS = 2;
const OBJECT_GB = 0.125;

interface Inputs {
  tokens: number;
  addresses: number;
  requests: number;
  tokenShare: number;
  days: number;
  skew: number;
  routes: number;
  limit: number;
}

function inputs(): Inputs {
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries({
        tokens: 100_000,
        addresses: 1_000_000,
        requests: 10_000,
        tokenShare: 0.5,
        days: 30,
        skew: 0.9,
        routes: 5,
        limit: 2,
      }).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
    ) as Record<keyof Inputs, { type: 'string'; default: string }>,
  });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as unknown as Inputs;
}

/** Requests per second by rank of a token: a power law, capped at the rate limit; the excess is spread over the other tokens. */
function ratesOf({ tokens, requests, tokenShare, skew, limit }: Inputs): Float64Array {
  const weights = Float64Array.from({ length: tokens }, (_, rank) => (rank + 1) ** -skew);
  const total = requests * tokenShare;
  let scale = total / weights.reduce((sum, weight) => sum + weight, 0);
  for (let round = 0; round < 50; round += 1) {
    const sum = weights.reduce((all, weight) => all + Math.min(limit, weight * scale), 0);
    if (sum >= total * 0.999) break;
    scale *= total / sum;
  }
  return weights.map((weight) => Math.min(limit, weight * scale));
}

interface Sample {
  /** Number of tokens that the sample represents. */
  count: number;
  rate: number;
  /** Simulated seconds. */
  seconds: number;
  costs: Costs;
  objectRequests: number;
  lookups: number;
  stored: { bytes: number; hours: number; requests: number };
}

/** Simulates the object of one token with Poisson arrivals. */
async function simulate(clock: SimClock, rate: number, count: number, { days, routes }: Inputs, seed: string): Promise<Sample> {
  const random = seededRandom(seed);
  const object = new SimObject(clock);
  const owner = { tokenId: seed, userId: seed };
  const startedAt = clock.now;
  const seconds = Math.min(days * DAY, MAX_EVENTS / rate);
  let objectRequests = 0;
  let lookups = 0;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (let at = startedAt; ; ) {
    at += (-Math.log(1 - randomUnit(random)) / rate) * 1000;
    if (at > startedAt + seconds * 1000) break;
    const gap = (at - lastAt) / 1000;
    clock.advance(at);
    // The request, and its usage record if the isolate sends no further request of the token within 10 s.
    objectRequests += gap > 10 ? 2 : 1;
    if (gap > EVICTION_SECONDS || at - loadedAt > RECORD_SECONDS * 1000) {
      lookups += 1;
      loadedAt = at;
    }
    lastAt = at;
    const route = `/v1/route/${Math.floor(randomUnit(random) ** 2 * routes)}`;
    const status = happens(random, 0.05) ? 404 : 200;
    const record = { method: 'GET', route, path: `${route}/value`, status, durationMilliseconds: 5, at: Math.floor(at / 1000), count: 1 };
    await object.request(record, owner);
  }
  clock.advance(startedAt + seconds * 1000);
  const stored = object.stored();
  object.close();
  return { count, rate, seconds, costs: object.costs, objectRequests, lookups, stored };
}

/** Ranks that represent all tokens, denser at the top, each with the range of tokens it represents. */
function strata(tokens: number): { rank: number; from: number; to: number }[] {
  const edges = new Set(Array.from({ length: SAMPLES + 1 }, (_, index) => Math.round(tokens ** (index / SAMPLES)) - 1));
  const sorted = [...edges, tokens].sort((one, other) => one - other);
  return sorted
    .slice(1)
    .map((to, index) => {
      const from = sorted[index] ?? 0;
      return { rank: Math.floor((from + to) / 2), from, to };
    })
    .filter(({ from, to }) => to > from);
}

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });

async function main(): Promise<void> {
  const given = inputs();
  const rates = ratesOf(given);
  const clock = new SimClock();
  const undo = clock.install();
  const samples: Sample[] = [];
  for (const { rank, from, to } of strata(given.tokens)) {
    const mean = rates.subarray(from, to).reduce((sum, rate) => sum + rate, 0) / (to - from);
    samples.push(await simulate(clock, mean, to - from, given, `token-${rank}`));
  }
  undo();

  /** Total of all tokens per second. */
  const flow = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + (of(sample) / sample.seconds) * sample.count, 0);
  const stock = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample) * sample.count, 0);
  const month = given.days * DAY;
  const tokenRequests = samples.reduce((sum, { rate, count }) => sum + rate * count, 0);
  const anonymous = given.requests - tokenRequests;
  const perAddress = anonymous / given.addresses;
  // Counter of an address: one write 3 s after the last request, and two rows for the alarm that empties it.
  const bursts = anonymous / (1 + 3 * perAddress);
  const windows = given.addresses * Math.min(1 / 60, perAddress);
  // The same for counters of tokens.
  const tokenBursts = samples.reduce((sum, { rate, count }) => sum + (rate / (1 + 3 * rate)) * count, 0);
  const tokenWindows = samples.reduce((sum, { rate, count }) => sum + Math.min(1 / 60, rate) * count, 0);

  const d1Writes = flow(({ costs }) => costs.d1Rows);
  const worst = (2 * given.tokens) / 5400;
  const lookups = flow((sample) => sample.lookups);
  const objectRequests = flow(({ objectRequests: made, costs }) => made + costs.alarms) + anonymous + windows + tokenWindows;
  const usageRows = flow(({ costs }) => costs.objectRows);
  const objectRows = usageRows + bursts + 2 * windows + tokenBursts + 2 * tokenWindows;
  const dayRows = flow(({ costs }) => costs.d1NewRows) * DAY * 400;
  const bytes = stock(({ stored, seconds }) => {
    const hoursPerSecond = stored.hours / seconds;
    // Single requests reach their bound after a month; sums grow until 400 days or their bound.
    const requests = Math.min(10_000, stored.requests * (month / seconds));
    return requests * 60 + Math.min(96_000, hoursPerSecond * 400 * DAY) * 75 + 12_288;
  });

  console.log('Inputs');
  for (const [name, value] of Object.entries(given)) console.log(`  ${name.padEnd(14)} ${number(value, value < 10 ? 2 : 0)}`);
  console.log(
    `\nSimulation: ${samples.length} tokens, ${number(samples.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0))} requests`,
  );
  const line = (name: string, value: string, target = '') => console.log(`  ${name.padEnd(44)} ${value.padStart(16)}  ${target}`);
  line('D1 rows written a second', number(d1Writes, 1), d1Writes <= 50 ? 'target 50: met' : 'target 50: MISSED');
  line('  at most, every token busy', number(worst, 1));
  line('D1 look-ups of tokens a second', number(lookups));
  line('D1 day rows after 400 days, one account per token', number(dayRows));
  const gigabytes = (dayRows * DAY_ROW_BYTES) / 1e9;
  line('  GB', number(gigabytes, 2), gigabytes <= 5 ? 'target 5: met' : 'target 5: MISSED');
  line('object requests a second', number(objectRequests));
  line('  per request', number(objectRequests / given.requests, 2));
  line('object rows written a second', number(objectRows), `usage ${number(usageRows)}`);
  line('object GB after 400 days', number(bytes / 1e9, 1), `${number(bytes / given.tokens / 1e6, 2)} MB per token`);

  const amounts: Record<Item, number> = {
    'Worker requests': given.requests * month,
    'Worker CPU ms': given.requests * month * CPU_MS,
    'object requests': objectRequests * month,
    'object GB-s': (objectRequests * month * OBJECT_MS * OBJECT_GB) / 1000,
    'object rows written': objectRows * month,
    'object GB stored': bytes / 1e9,
    'D1 rows written': d1Writes * month,
    'D1 rows read': lookups * ROWS_OF_LOOKUP * month,
    'D1 GB stored': gigabytes,
  };
  console.log('\nA month of 30 days, list prices');
  let total = 5;
  for (const [name, amount] of Object.entries(amounts) as [Item, number][]) {
    const { included, each } = PRICES[name];
    const cost = Math.max(0, amount - included) * each;
    total += cost;
    line(name, number(amount), `$${number(cost, 2)}`);
  }
  line('total, plan included', '', `$${number(total, 2)}`);
}

await runMain(main);
