import { env } from 'cloudflare:workers';
import { happens, seededRandom } from '../../src/platform/kit/random.ts';

const [SHARD = 1, SHARDS = 1] = (env.FAULT_SHARD ?? '1/1').split('/').map(Number);
const SHARE = Number(env.FAULT_SHARE ?? 1);
const SEED = env.FUZZ_SEED ?? '1';

/** The items of this shard: all, unless `FAULT_SHARD` names a part. */
export function shardOf<Item>(items: readonly Item[]): Item[] {
  return items.filter((_, index) => index % SHARDS === SHARD - 1);
}

/** Chooses the faults of an endpoint or a job to try: all, unless `FAULT_SHARE` is below 1. The same ones for a seed. */
export function shareOf(title: string): () => boolean {
  const random = seededRandom(`faults ${SEED} ${title}`);
  return () => SHARE >= 1 || happens(random, SHARE);
}
