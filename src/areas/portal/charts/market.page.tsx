import type { FC } from 'hono/jsx';
import { CURRENCY } from '../../../game/currency.data.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { formatCount, LineChart } from '../../../platform/http/pages/charts.tsx';
import { Choices, DataTable, Instant, UtcDay } from '../../../platform/http/pages/parts.tsx';
import { entryUrl } from '../codex/codex-links.domain.ts';
import { ModelImage } from '../codex/list.pages.tsx';
import { typeTitle } from '../layout/codex-texts.data.ts';
import { Embed, urlPart } from '../layout/embeds.page.tsx';
import { FOLLOWED_SCRIPT, FollowedRow, FollowPlace } from '../layout/followed.page.tsx';
import { ACCOUNT_ROWS } from '../layout/html-page.routes.ts';
import type { OpenPage } from '../layout/layout.page.tsx';
import { MoreForAccounts } from '../layout/layout.page.tsx';
import { ENGLISH_NAMES, type GameNames } from '../layout/reader-language.service.ts';

/** Rows of the card of an item with listings. */
const CARD_ROWS = 4;

type Figures = Awaited<ReturnType<Ports['marketFigures']>>;
type ItemPrices = Awaited<ReturnType<Ports['marketItemPrices']>>;

const CHOICE_IMAGE_SIZE = 48;
const DEFAULT_CHOICE_WINDOW = 30;

/** Windows of the page in days. */
export const MARKET_WINDOWS = [1, 7, 14, 30] as const;
/** Windows of the page of an item in days. */
export const ITEM_WINDOWS = [7, 30, 90] as const;

const priceFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const percentText = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}\u00a0%`;
/** URL of the page of an item. */
const itemUrl = (name: string, days?: number) =>
  `/market/item?${new URLSearchParams(days === undefined ? { name } : { name, days: String(days) })}`;

interface RowsProps {
  title: string;
  head: readonly string[];
  rows: readonly (readonly [string, ...string[]])[];
  names: GameNames;
}

const Rows: FC<RowsProps> = ({ title, head, rows, names }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="hint">None in this window.</p>
    ) : (
      <DataTable
        label={`Table: ${title}`}
        head={head}
        rows={rows.map(([name, ...cells]) => [<a href={itemUrl(name)}>{names.named(name)}</a>, ...cells])}
        isNumeric
      />
    )}
  </section>
);

/** Names of the items on the page. */
export const itemNamesOf = ({ movers, deals, volume }: Figures) =>
  [movers.risers, movers.fallers, deals.items, volume.items].flatMap((rows) => rows.map(({ name }) => name));

/** `/market`: the market at a glance. */
export function marketPage({ overview, movers, deals, volume }: Figures, names: GameNames): OpenPage {
  const { days } = overview;
  const moverRow = ({ name, prior_med: prior, recent_med: recent, change }: Figures['movers']['risers'][number]): [string, ...string[]] => [
    name,
    priceFormat.format(prior),
    priceFormat.format(recent),
    percentText(change),
  ];
  const moverHead = ['Item', 'Before', 'Now', 'Change'];
  const main = (
    <div class="figures">
      <h1>Market</h1>
      <p class="lead">
        {formatCount(overview.active_listings)} active listings of {formatCount(overview.active_items)} items, worth{' '}
        {formatCount(overview.total_value)} {CURRENCY} in all, as of <Instant at={overview.as_of} />. Prices are for one piece, in{' '}
        {CURRENCY}.
      </p>
      <FollowedRow />
      <Choices
        label="Window"
        choices={MARKET_WINDOWS.map((window) => ({
          href: `/market?days=${window}`,
          title: window === 1 ? '1 day' : `${window} days`,
          isCurrent: window === days,
        }))}
      />
      <Rows title="Prices that rose" head={moverHead} rows={movers.risers.map(moverRow)} names={names} />
      <Rows title="Prices that fell" head={moverHead} rows={movers.fallers.map(moverRow)} names={names} />
      <Rows
        title="Deals"
        head={['Item', 'Pieces', 'Price', 'Median', 'Below median']}
        rows={deals.items.map(({ name, stack, price_each: each, median_each: median, discount }) => [
          name,
          formatCount(stack),
          priceFormat.format(each),
          priceFormat.format(median),
          `${(discount * 100).toFixed(1)}\u00a0%`,
        ])}
        names={names}
      />
      <Rows
        title="Most listed"
        head={['Item', 'Listings', 'Pieces', 'Median']}
        rows={volume.items.map(({ name, listings, units, median_each: median }) => [
          name,
          formatCount(listings),
          formatCount(units),
          priceFormat.format(median),
        ])}
        names={names}
      />
      <p class="links">
        <a href="/docs/reference/market">Complete data: API reference</a>
      </p>
    </div>
  );
  return {
    title: 'Market',
    description: 'Prices that moved, deals and the most listed items of the marketplace.',
    section: '/market',
    script: FOLLOWED_SCRIPT,
    main,
  };
}

const priceText = (price: number | null) => (price === null ? '—' : priceFormat.format(price));

/** Active listings of an item. `path`: of the page. `isFull`: for signed-in accounts. */
const ActiveListings: FC<Pick<ItemPrices, 'listings' | 'listingCount'> & { path: string; isFull: boolean }> = ({
  listings,
  listingCount,
  path,
  isFull,
}) => (
  <>
    <h2>Active listings, cheapest first</h2>
    {listings.length === 0 ? (
      <p class="hint">None.</p>
    ) : (
      <DataTable
        label="Active listings"
        head={['Price of one', 'Pieces', 'Price', 'Listed', 'Last seen']}
        rows={listings.map(({ priceEach, stack, price, createdAt, lastSeen }) => [
          priceText(priceEach),
          formatCount(stack),
          formatCount(price),
          <Instant at={createdAt} />,
          <Instant at={lastSeen} />,
        ])}
        isNumeric
      />
    )}
    {listingCount > listings.length ? (
      <p class="hint">
        {formatCount(listings.length)} of {formatCount(listingCount)} listings.
      </p>
    ) : null}
    {isFull || listingCount <= listings.length ? null : <MoreForAccounts path={path} label={`up to ${ACCOUNT_ROWS} listings`} />}
  </>
);

const PricesByDay: FC<{ newest: ItemPrices['points'] }> = ({ newest }) => (
  <>
    <h2>Prices by day</h2>
    {newest.length === 0 ? (
      <p class="hint">None.</p>
    ) : (
      <DataTable
        label="Prices by day"
        head={['Day (UTC)', 'Listings', 'Pieces', 'Lower quartile', 'Median', 'Upper quartile']}
        rows={newest.map(({ bucket, listings, stack, p25, p50, p75 }) => [
          <UtcDay at={bucket} />,
          formatCount(listings),
          formatCount(stack),
          priceText(p25),
          priceText(p50),
          priceText(p75),
        ])}
        isNumeric
      />
    )}
  </>
);

type NamedEntries = Awaited<ReturnType<Ports['codexReader']['listNamed']>>;

/** `/market/item` for a name that several entries of the codex have. */
export function itemChoicePage(asked: string, entries: NamedEntries, names: GameNames): OpenPage {
  const name = names.named(asked);
  const main = (
    <article class="codex">
      <h1>{name}</h1>
      <p class="lead">{formatCount(entries.length)} things in the game have this name.</p>
      <ul class="entries">
        {entries.map(({ type, path, name: entryName, category, imageUrl }) => (
          <li class="entry">
            <ModelImage url={imageUrl} size={CHOICE_IMAGE_SIZE} />
            <div>
              <a href={entryUrl(type, path)}>{names.at(path, entryName)}</a>
              <p class="hint">{[typeTitle(type), category].filter((part) => part !== '').join(' · ')}</p>
            </div>
          </li>
        ))}
      </ul>
      <p class="links">
        <a href={itemUrl(asked, DEFAULT_CHOICE_WINDOW)}>Market prices of this name</a>
      </p>
    </article>
  );
  return { title: name, description: `Things with the name ${name}.`, section: '/market', main };
}

/** `/market/item`: the prices of an item by day. */
export function marketItemPage(prices: ItemPrices, baseUrl: string, isFull: boolean, names: GameNames = ENGLISH_NAMES): OpenPage {
  const { name, days, from, to, points, truncated, listings, listingCount } = prices;
  const api = `/v1/market/items/${urlPart(name)}`;
  const shown = names.named(name);
  const main = (
    <div class="figures">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href="/market">Market</a>
      </nav>
      <h1>{shown}</h1>
      <p class="lead">
        Prices of one piece in {CURRENCY}, of the listings created each day, including those that ended.{' '}
        <a href={`/codex?${new URLSearchParams({ q: name })}`}>{shown} in the codex</a>
      </p>
      <FollowPlace item={name} />
      <Choices
        label="Window"
        choices={ITEM_WINDOWS.map((window) => ({
          href: itemUrl(name, window),
          title: `${window} days`,
          isCurrent: window === days,
        }))}
      />
      {truncated ? <p class="hint">The item has so many listings that the oldest days are left out.</p> : null}
      <LineChart
        id="item-price"
        title="Median unit price"
        unit="median"
        points={points.map(({ bucket, p25, p50, p75 }) => ({ at: bucket, value: p50, low: p25, high: p75 }))}
        from={from}
        to={to}
        format={priceText}
        band="lower to upper quartile"
        none="No listing was created in this window."
        hasTable={false}
      />
      <ActiveListings listings={listings} listingCount={listingCount} path={itemUrl(name, days)} isFull={isFull} />
      <PricesByDay newest={points.toReversed()} />
      <Embed
        id="embed"
        rows={CARD_ROWS}
        alt={`Market price of ${shown}`}
        badge={`${api}/badge.svg`}
        card={`${api}/card.svg`}
        page={itemUrl(name)}
        baseUrl={baseUrl}
      />
      <p class="links">
        <a href="/docs/reference/market#getMarketTimeline">API: price timeline</a>
      </p>
    </div>
  );
  return {
    title: `${shown} · Market`,
    description: `Prices of ${shown} on the marketplace by day.`,
    section: '/market',
    script: FOLLOWED_SCRIPT,
    main,
  };
}
