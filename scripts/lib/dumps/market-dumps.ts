import { bundledInterestItems } from '../../../src/areas/misc/interest-items.data.ts';
import { seededRandom } from './seeded-random.ts';

export interface MarketOptions {
  seed: number;
  /** Listings that appear each hour. */
  newEachHour: number;
  /** Hours that a listing stays, on average; some stay much longer, some are gone at once. */
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
/** 100 ns ticks from the start of the UUID calendar to 1970. */
const EPOCH_TICKS = 122_192_928_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;
const TYPES = ['Crafting', 'Material', 'Consumable', ''];
const STACKS = [1, 1, 1, 10, 50, 100, 250, 999, 9999];
/** One listing in so many is of an item that is not tracked. */
const UNTRACKED_ONE_IN = 12;

/** A version-1 UUID as the game issues them. */
function listingId(createdAt: number, serial: number): string {
  const ticks = (BigInt(createdAt) * TICKS_PER_SECOND + EPOCH_TICKS + BigInt(serial % 10_000_000)).toString(16).padStart(15, '0');
  return `${ticks.slice(7)}-${ticks.slice(3, 7)}-1${ticks.slice(0, 3)}-9a3e-${serial.toString(16).padStart(12, '0')}`;
}

/** A market that goes on from hour to hour, and the dumps a bot would write of it. */
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

  /** `staple`: place of the item among the tracked ones. */
  #offer(now: number, staple?: number): Offer {
    this.#serial += 1;
    const createdAt = now - Math.floor(this.#random() * SECONDS_PER_HOUR);
    const drawn = Math.floor(this.#random() ** 2 * bundledInterestItems.length);
    const item = staple ?? drawn;
    const isTracked = this.#random() * UNTRACKED_ONE_IN >= 1 || staple !== undefined;
    const name = isTracked ? bundledInterestItems[item] : `Curiosity ${item}`;
    const stack = STACKS[Math.floor(this.#random() * STACKS.length)] ?? 1;
    // Each item has a price of its own; offers scatter around it, and now and then one is absurd.
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

/** Sends a dump through the real endpoint as if it were sent at `now`. Throws when it is not taken. */
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
