import { type MarketTarget, postMarketDump, SyntheticMarket } from '../lib/dumps/market-dumps.ts';

const SEED = 8;
/** A quiet market: some 900 listings at a time. */
const NEW_EACH_DUMP = 60;
const MEAN_HOURS = 20;
/** Items in the examples of the documentation. */
const STAPLES = ['Sun Sap', 'Bardium'];

/** Posts the dumps of a synthetic market at some instants, oldest first, each as of its own time. */
export async function demoMarket(target: MarketTarget, instants: readonly number[]): Promise<void> {
  const market = new SyntheticMarket({
    seed: SEED + (instants[0] ?? 0),
    newEachHour: NEW_EACH_DUMP,
    meanHours: MEAN_HOURS,
    staples: STAPLES,
  });
  for (const at of instants) await postMarketDump(target, market.nextDump(at), at);
}
