import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { analyticsRules, MAX_ANALYTICS_DAYS, MAX_ANALYTICS_ROWS, MAX_DEAL_DAYS, MAX_DEALS } from './market.data.ts';

/** Active listings of an item. Unit prices are in thousandths; the median of an even count is the mean of the middle two. */
export interface ActiveItem {
  name: string;
  count: number;
  totalPrice: number;
  totalStack: number;
  minMilli: number;
  maxMilli: number;
  sumMilli: number;
  medianMilli: number;
}

/** Medians of the listings created in a window and in the window of the same length before it. */
export interface PriceMove {
  name: string;
  recentMilli: number;
  priorMilli: number;
  recentCount: number;
  priorCount: number;
}

/** An active listing below the median of its item. */
export interface Deal {
  id: string;
  name: string;
  stack: number;
  price: number;
  milliEach: number;
  medianMilli: number;
  sampleSize: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Listings of an item created in the window. */
export interface TradeVolume {
  name: string;
  listings: number;
  units: number;
  totalValue: number;
  medianMilli: number;
}

/** Listings of an item that ended in the window. A listing that ended before its time counts as sold. */
export interface Liquidity {
  name: string;
  concluded: number;
  sold: number;
  soldUnits: number;
  /** Median time from creation to the last sighting of sold listings; null for none. */
  medianSecondsToSell: number | null;
}

/** Statistics of one window. Lists have at most `MAX_ANALYTICS_ROWS` rows, in the order of their endpoint. */
export interface WindowFigures {
  moves: PriceMove[];
  volume: TradeVolume[];
  liquidity: Liquidity[];
}

/** All statistics of one instant. Windows end there; `windows[0]` is the last 24 hours. */
export interface MarketFigures {
  active: ActiveItem[];
  /** By name of the item; without items that have neither. */
  pages: [name: string, figures: ItemPageFigures][];
  /** By length of the window in days, from 1 to `MAX_DEAL_DAYS`: at least `analyticsRules.minDiscount`, highest discount first. */
  deals: Deal[][];
  windows: WindowFigures[];
}

/** What the page of an item shows besides its summary. */
export interface ItemPageFigures {
  /** The cheapest active listings, cheapest first. */
  cheapest: Omit<ActiveListing, 'id' | 'name'>[];
  /** Median unit price in thousandths of the listings created in the last 24 hours, in those before, and so on; null without one. */
  dayMillis: (number | null)[];
}

/** An active listing. */
export interface ActiveListing {
  id: string;
  name: string;
  stack: number;
  price: number;
  milliEach: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Listings of an item created on one day. Day 0 is the last 24 hours. */
export interface CreatedDay {
  day: number;
  name: string;
  listings: number;
  units: number;
  value: number;
  /** Unit prices in thousandths. */
  millis: number[];
}

/** Listings of an item that ended on one day. */
export interface EndedDay {
  day: number;
  name: string;
  concluded: number;
  soldUnits: number;
  /** Times from creation to the last sighting of sold listings, in seconds. */
  soldAfter: number[];
}

/** Adds the days of an item to a map by name. */
function groupByName<Day extends { name: string }>(days: Iterable<Day>): Map<string, Day[]> {
  const groups = new Map<string, Day[]>();
  for (const day of days) {
    const group = groups.get(day.name);
    if (group) group.push(day);
    else groups.set(day.name, [day]);
  }
  return groups;
}

interface DatedValue {
  day: number;
  value: number;
}

/** Median of the values (ascending) whose day is in `[from, to)`, out of `count`; NaN for none. */
function medianOfDays(sorted: readonly DatedValue[], from: number, to: number, count: number): number {
  const lower = Math.ceil(count / 2);
  const upper = Math.floor(count / 2) + 1;
  let position = 0;
  let low = Number.NaN;
  for (const { day, value } of sorted) {
    if (day < from || day >= to) continue;
    position += 1;
    if (position === lower) low = value;
    if (position === upper) return (low + value) / 2;
  }
  return Number.NaN;
}

const toDatedValues = <Day extends { day: number }>(days: readonly Day[], valuesOf: (day: Day) => number[]): DatedValue[] =>
  days.flatMap((day) => valuesOf(day).map((value) => ({ day: day.day, value }))).sort((one, other) => one.value - other.value);

/** Sums a figure of the days in `[from, to)`. */
const sumDays = <Day extends { day: number }>(days: readonly Day[], from: number, to: number, figureOf: (day: Day) => number): number =>
  days.reduce((sum, day) => (day.day >= from && day.day < to ? sum + figureOf(day) : sum), 0);

/** The first rows by a comparison; `compare` returns 0 for rows that keep the order of the names. */
const firstRows = <Row>(rows: readonly Row[], compare: (one: Row, other: Row) => number): Row[] =>
  rows.toSorted(compare).slice(0, MAX_ANALYTICS_ROWS);

/** Builds the lists of every window from the listings by day. `names`: all items, in the order of equal rows. */
export function toWindows(names: readonly string[], created: Iterable<CreatedDay>, ended: Iterable<EndedDay>): WindowFigures[] {
  const windows = Array.from({ length: MAX_ANALYTICS_DAYS }, (): WindowFigures => ({ moves: [], volume: [], liquidity: [] }));
  const createdByName = groupByName(created);
  const endedByName = groupByName(ended);
  for (const name of names) {
    addCreated(windows, name, createdByName.get(name) ?? []);
    addEnded(windows, name, endedByName.get(name) ?? []);
  }
  return windows.map(({ moves, volume, liquidity }) => ({
    moves: firstRows(moves, (one, other) => sizeOf(other) - sizeOf(one)),
    volume: firstRows(volume, (one, other) => other.listings - one.listings || other.units - one.units),
    liquidity: firstRows(
      liquidity,
      (one, other) => other.sold / other.concluded - one.sold / one.concluded || other.concluded - one.concluded,
    ),
  }));
}

/** The figures of the pages of items. */
export function toPageFigures(
  names: readonly string[],
  created: Iterable<CreatedDay>,
  cheapest: ReadonlyMap<string, ItemPageFigures['cheapest']>,
): MarketFigures['pages'] {
  const createdByName = groupByName(created);
  return names.flatMap((name): MarketFigures['pages'] => {
    const days = createdByName.get(name) ?? [];
    const listings = cheapest.get(name) ?? [];
    if (days.length === 0 && listings.length === 0) return [];
    const values = toDatedValues(days, ({ millis }) => millis);
    const dayMillis = Array.from({ length: MAX_ANALYTICS_DAYS }, (_, day) => {
      const median = medianOfDays(
        values,
        day,
        day + 1,
        sumDays(days, day, day + 1, (one) => one.listings),
      );
      return Number.isNaN(median) ? null : median;
    });
    return [[name, { cheapest: listings, dayMillis }]];
  });
}

const sizeOf = ({ recentMilli, priorMilli }: PriceMove): number => Math.abs(recentMilli - priorMilli) / priorMilli;

function addCreated(windows: readonly WindowFigures[], name: string, days: readonly CreatedDay[]): void {
  const values = toDatedValues(days, ({ millis }) => millis);
  windows.forEach(({ moves, volume }, index) => {
    const length = index + 1;
    const listings = sumDays(days, 0, length, (day) => day.listings);
    if (listings === 0) return;
    const medianMilli = medianOfDays(values, 0, length, listings);
    const units = sumDays(days, 0, length, (day) => day.units);
    volume.push({ name, listings, units, totalValue: sumDays(days, 0, length, (day) => day.value), medianMilli });
    const priorCount = sumDays(days, length, 2 * length, (day) => day.listings);
    if (Math.min(listings, priorCount) < analyticsRules.minSample) return;
    const priorMilli = medianOfDays(values, length, 2 * length, priorCount);
    if (Math.min(medianMilli, priorMilli) <= 0) return;
    moves.push({ name, recentMilli: medianMilli, priorMilli, recentCount: listings, priorCount });
  });
}

function addEnded(windows: readonly WindowFigures[], name: string, days: readonly EndedDay[]): void {
  const values = toDatedValues(days, ({ soldAfter }) => soldAfter);
  windows.forEach(({ liquidity }, index) => {
    const length = index + 1;
    const concluded = sumDays(days, 0, length, (day) => day.concluded);
    if (concluded < analyticsRules.minSample) return;
    const sold = sumDays(days, 0, length, (day) => day.soldAfter.length);
    const medianSecondsToSell = sold === 0 ? null : medianOfDays(values, 0, length, sold);
    liquidity.push({ name, concluded, sold, soldUnits: sumDays(days, 0, length, (day) => day.soldUnits), medianSecondsToSell });
  });
}

/** Listings on the page of an item. */
const MAX_PAGE_LISTINGS = 5;

/** Collects the statistics of the active listings, one item after the other. */
export function createActiveFigures(at: UnixSeconds) {
  const active: ActiveItem[] = [];
  const deals = Array.from({ length: MAX_DEAL_DAYS }, (): Deal[] => []);
  const cheapest = new Map<string, ItemPageFigures['cheapest']>();

  function addDeals(sorted: readonly ActiveListing[], days: number): void {
    const since = at - days * SECONDS_PER_DAY;
    const recent = sorted.filter(({ createdAt }) => createdAt >= since);
    const medianMilli = middleOf(recent);
    if (recent.length < analyticsRules.minSample || medianMilli <= 0) return;
    const found = deals[days - 1] ?? [];
    for (const listing of recent) {
      if (listing.milliEach > medianMilli * (1 - analyticsRules.minDiscount)) break;
      found.push({ ...listing, medianMilli, sampleSize: recent.length });
    }
    found.sort((one, other) => one.milliEach / one.medianMilli - other.milliEach / other.medianMilli || (one.id < other.id ? -1 : 1));
    found.splice(MAX_DEALS);
  }

  return {
    /** Adds all active listings of an item. Call it in the order of the names. */
    addItem(name: string, listings: readonly ActiveListing[]): void {
      if (listings.length === 0) return;
      const sorted = listings.toSorted((one, other) => one.milliEach - other.milliEach);
      const sum = (figureOf: (listing: ActiveListing) => number) => sorted.reduce((total, listing) => total + figureOf(listing), 0);
      active.push({
        name,
        count: sorted.length,
        totalPrice: sum(({ price }) => price),
        totalStack: sum(({ stack }) => stack),
        minMilli: sorted[0]?.milliEach ?? 0,
        maxMilli: sorted.at(-1)?.milliEach ?? 0,
        sumMilli: sum(({ milliEach }) => milliEach),
        medianMilli: middleOf(sorted),
      });
      cheapest.set(
        name,
        sorted
          .slice(0, MAX_PAGE_LISTINGS)
          .map(({ stack, price, milliEach, createdAt, lastSeen }) => ({ stack, price, milliEach, createdAt, lastSeen })),
      );
      for (let days = 1; days <= MAX_DEAL_DAYS; days += 1) addDeals(sorted, days);
    },

    result: () => ({ active, deals, cheapest }),
  };
}

/** Median unit price of listings in ascending order; NaN for none. */
function middleOf(sorted: readonly ActiveListing[]): number {
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]?.milliEach ?? Number.NaN;
  const upper = sorted[Math.floor(sorted.length / 2)]?.milliEach ?? Number.NaN;
  return (lower + upper) / 2;
}
