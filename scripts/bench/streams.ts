import { CAPACITY_RETRY_SECONDS, MAX_RETRY_MS, MIN_RETRY_MS, SHARD_FULL_SKIP_MS } from '../../src/areas/events/events.data.ts';
import { ShardOrder } from '../../src/areas/events/shard-order.domain.ts';
import { randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { runMain } from '../lib/main.ts';

const PER_SHARD = 1000;
/** Opens a second of one isolate. */
const OPENS_PER_ISOLATE = 25;
const SIZES = [1000, 10_000, 50_000];

/** Clients that reconnect after a deployment, which ended all streams: every isolate is new. */
function simulateReconnect(clients: number) {
  const random = seededRandom(`streams-${clients}`);
  const shards = Math.ceil(clients / PER_SHARD);
  const windowMs = MAX_RETRY_MS - MIN_RETRY_MS;
  const isolates = Math.max(1, Math.ceil(clients / (windowMs / 1000) / OPENS_PER_ISOLATE));
  let now = 0;
  const orders = Array.from({ length: isolates }, () => new ShardOrder(shards, () => now));
  const open = new Array<number>(shards).fill(0);
  const callsBySecond = new Map<string, number>();
  let queue = Array.from({ length: clients }, () => MIN_RETRY_MS + randomBelow(random, windowMs)).sort((one, other) => one - other);
  const counts = { calls: 0, most: 0, refused: 0, lastMs: 0 };
  while (queue.length > 0) {
    const later: number[] = [];
    for (now of queue) {
      const order = orders[randomBelow(random, isolates)];
      let calls = 0;
      let isOpen = false;
      for (const index of order?.candidates() ?? []) {
        calls += 1;
        const second = `${index} ${Math.floor(now / 1000)}`;
        callsBySecond.set(second, (callsBySecond.get(second) ?? 0) + 1);
        const count = open[index] ?? 0;
        isOpen = count < PER_SHARD;
        if (isOpen) {
          open[index] = count + 1;
          order?.opened(index);
          break;
        }
        order?.skip(index, SHARD_FULL_SKIP_MS);
      }
      counts.calls += calls;
      counts.most = Math.max(counts.most, calls);
      if (isOpen) counts.lastMs = now;
      else {
        counts.refused += 1;
        later.push(now + CAPACITY_RETRY_SECONDS * 1000);
      }
    }
    queue = later;
  }
  return {
    clients,
    shards,
    isolates,
    'calls for each open': (counts.calls / clients).toFixed(2),
    'most calls for one open': counts.most,
    'most calls a second at one shard': Math.max(...callsBySecond.values()),
    refused: counts.refused,
    'last open after, s': (counts.lastMs / 1000).toFixed(0),
  };
}

/**
 * `npm run bench -- streams`: simulates all clients of a full service that reconnect after a deployment, with the code that chooses
 * shards. `npm run bench -- scale` has the bill of the same numbers of streams.
 */
await runMain(async () => {
  console.table(SIZES.map(simulateReconnect));
});
