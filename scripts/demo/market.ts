import { type MarketTarget, postMarketDump, SyntheticMarket } from '../lib/dumps/market-dumps.ts';

const SEED = 8;
/** Gives about 900 listings at a time. */
const NEW_EACH_DUMP = 60;
const MEAN_HOURS = 20;
/** Items in the documentation's examples. */
const STAPLES = ['Sun Sap', 'Bardium'];

/** Posts dumps of a synthetic market, oldest first, each with the clock set to its time. */
export async function demoMarket(target: MarketTarget, instants: readonly number[]): Promise<void> {
  const market = new SyntheticMarket({
    seed: SEED + (instants[0] ?? 0),
    newEachHour: NEW_EACH_DUMP,
    meanHours: MEAN_HOURS,
    staples: STAPLES,
  });
  for (const at of instants) await postMarketDump(target, market.nextDump(at), at);
}
