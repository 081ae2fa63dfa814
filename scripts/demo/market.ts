import { type MarketTarget, postMarketDump, SyntheticMarket } from '../lib/dumps/market-dumps.ts';

const SECONDS_PER_HOUR = 3600;
const SEED = 8;
/** A quiet market: some 900 listings at a time. */
const NEW_EACH_HOUR = 60;
const MEAN_HOURS = 20;

/**
 * Posts hourly dumps of a synthetic market that end at `now`, oldest first, each as of its own time. Returns how many
 * listings were stored or refreshed.
 */
export async function demoMarket(target: MarketTarget, options: { now: number; hours: number }): Promise<number> {
  const market = new SyntheticMarket({ seed: SEED, newEachHour: NEW_EACH_HOUR, meanHours: MEAN_HOURS });
  let imported = 0;
  for (let hour = options.hours - 1; hour >= 0; hour -= 1) {
    const now = options.now - hour * SECONDS_PER_HOUR;
    imported += (await postMarketDump(target, market.nextDump(now), now)).imported;
  }
  return imported;
}
