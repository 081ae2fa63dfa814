import { bundledInterestItems } from '../../../src/areas/misc/interest-items.data.ts';
import { seededRandom } from './seeded-random.ts';

export interface MarketOptions {
  seed: number;
  /** Listings that appear each hour. */
  newEachHour: number;
  /** Average hours that a listing exists; some exist much longer, some disappear at once. */
  meanHours: number;
  /** Tracked items of which every dump has a new listing. */
  staples?: readonly string[];
}

interface Offer {
  line: string;
  endsAt: number;
}

const SECONDS_PER_HOUR = 3600;
const LIFE_SECONDS = 604_800;
/** 100 ns ticks between the UUID epoch (1582-10-15) and 1970. */
const EPOCH_TICKS = 122_192_928_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;
const TYPES = ['Crafting', 'Material', 'Consumable', ''];
const STACKS = [1, 1, 1, 10, 50, 100, 250, 999, 9999];
/** One in this many listings is of an untracked item. */
const UNTRACKED_ONE_IN = 12;

/** A version-1 UUID as the game issues them. */
function listingId(createdAt: number, serial: number): string {
  const ticks = (BigInt(createdAt) * TICKS_PER_SECOND + EPOCH_TICKS + BigInt(serial % 10_000_000)).toString(16).padStart(15, '0');
  return `${ticks.slice(7)}-${ticks.slice(3, 7)}-1${ticks.slice(0, 3)}-9a3e-${serial.toString(16).padStart(12, '0')}`;
}

/** Generates hourly dumps of a simulated market, in the bot's format. */
export class SyntheticMarket {
  readonly #options: MarketOptions;
  readonly #random: () => number;
  #offers: Offer[] = [];
  #serial = 0;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  /** The dump of the next hour, which ends at `now`. */
  nextDump(now: number): string {
    this.#offers = this.#offers.filter(({ endsAt }) => endsAt > now);
    for (let count = 0; count < this.#options.newEachHour; count += 1) this.#offers.push(this.#offer(now));
    for (const name of this.#options.staples ?? []) this.#offers.push(this.#offer(now, bundledInterestItems.indexOf(name)));
    return ['# dump of the market', ...this.#offers.map(({ line }) => line), 'done = true', ''].join('\n');
  }

  /** `staple`: index of the item in the list of tracked items. */
  #offer(now: number, staple?: number): Offer {
    this.#serial += 1;
    const createdAt = now - Math.floor(this.#random() * SECONDS_PER_HOUR);
    const drawn = Math.floor(this.#random() ** 2 * bundledInterestItems.length);
    const item = staple ?? drawn;
    const isTracked = this.#random() * UNTRACKED_ONE_IN >= 1 || staple !== undefined;
    const name = isTracked ? bundledInterestItems[item] : `Curiosity ${item}`;
    const stack = STACKS[Math.floor(this.#random() * STACKS.length)] ?? 1;
    // Each item has a usual price; offers scatter around it, with occasional outliers.
    const usual = 5 * 1.03 ** item;
    const scatter = Math.exp((this.#random() + this.#random() - 1) * 0.6) * (this.#random() < 0.01 ? 40 : 1);
    const price = Math.min(50_000_000, Math.max(1, Math.round(usual * scatter * stack)));
    const hours = -Math.log(1 - this.#random()) * this.#options.meanHours;
    const line = [listingId(createdAt, this.#serial), name, TYPES[item % TYPES.length], stack, price].join(';');
    return { line, endsAt: Math.min(createdAt + LIFE_SECONDS, now + hours * SECONDS_PER_HOUR) };
  }
}

export interface MarketTarget {
  baseUrl: string;
  superuserToken: string;
}

/** Result of a dump. */
export interface MarketInserted {
  parsed: number;
  imported: number;
  ignored_not_in_list: number;
}

/** Sends a dump to the endpoint with the clock at `now`. Throws if the dump is refused. */
export async function postMarketDump({ baseUrl, superuserToken }: MarketTarget, text: string, now: number): Promise<MarketInserted> {
  const form = new FormData();
  form.append('file', new File([text], 'market.cfg', { type: 'text/plain' }));
  const response = await fetch(`${baseUrl}/v1/market/insert`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${superuserToken}`, 'X-Test-Now': String(now) },
    body: form,
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`POST /v1/market/insert: ${response.status} ${body.slice(0, 300)}`);
  return JSON.parse(body) as MarketInserted;
}
