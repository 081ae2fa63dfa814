import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area.ts';
import { Instant } from '../../../platform/http/pages/instant.tsx';
import { COPY_SCRIPT, Embed, urlPart } from '../embeds.tsx';
import type { OpenPage } from '../page.tsx';
import { Choices } from './activity.page.tsx';
import { formatCount, LinkTable } from './charts.tsx';

type Figures = Awaited<ReturnType<Ports['marketFigures']>>;

/** Windows of the page in days. */
export const MARKET_WINDOWS = [1, 7, 14, 30] as const;

const priceFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
/** A price that fits into a tile. */
const shortPriceFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const percentText = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
const itemUrl = (name: string) => `/market/item?name=${urlPart(name)}`;

/** Items with figures, or a notice if there are none. */
const Rows: FC<{ title: string; head: readonly string[]; rows: readonly (readonly string[])[] }> = ({ title, head, rows }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="hint">None in this window.</p>
    ) : (
      <LinkTable title={title} head={head} rows={rows.map(([name = '', ...cells]) => ({ text: name, href: itemUrl(name), cells }))} />
    )}
  </section>
);

/** `/market`: the market at a glance. */
export function marketPage({ overview, movers, deals, volume }: Figures): OpenPage {
  const { days } = overview;
  const moverRow = ({ name, prior_med: prior, recent_med: recent, change }: Figures['movers']['risers'][number]) => [
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
        {formatCount(overview.total_value)} in all, as of <Instant at={overview.as_of} />. Prices are for one piece.
      </p>
      <Choices
        label="Window"
        choices={MARKET_WINDOWS.map((window) => ({
          href: `/market?days=${window}`,
          title: window === 1 ? '1 day' : `${window} days`,
          isCurrent: window === days,
        }))}
      />
      <Rows title="Prices that rose" head={moverHead} rows={movers.risers.map(moverRow)} />
      <Rows title="Prices that fell" head={moverHead} rows={movers.fallers.map(moverRow)} />
      <Rows
        title="Deals"
        head={['Item', 'Pieces', 'Price', 'Median', 'Below median']}
        rows={deals.items.map(({ name, stack, price_each: each, median_each: median, discount }) => [
          name,
          formatCount(stack),
          priceFormat.format(each),
          priceFormat.format(median),
          `${(discount * 100).toFixed(1)} %`,
        ])}
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
    main,
  };
}

/** `/market/item`: the prices of one item now. */
export function marketItemPage({ name, item, asOf }: Awaited<ReturnType<Ports['itemPrices']>>, baseUrl: string): OpenPage {
  const api = `/v1/market/items/${urlPart(name)}`;
  const price = (milli: number) => shortPriceFormat.format(milli / 1000);
  const figures: [label: string, value: string][] = item
    ? [
        ['Median', price(item.medianMilli)],
        ['Lowest', price(item.minMilli)],
        ['Highest', price(item.maxMilli)],
        ['Listings', formatCount(item.count)],
        ['Pieces', formatCount(item.totalStack)],
      ]
    : [];
  const main = (
    <div class="figures">
      <h1>{name}</h1>
      <p class="lead">
        {item ? 'Prices of one piece in the active listings' : 'No active listings'}, as of <Instant at={asOf} />.
      </p>
      <div class="totals">
        {figures.map(([label, value]) => (
          <p class="card">
            <span class="hint">{label}</span>
            <b>{value}</b>
          </p>
        ))}
      </div>
      <Embed
        id="embed"
        alt={`Market price of ${name}`}
        badge={`${api}/badge.svg`}
        card={`${api}/card.svg`}
        page={itemUrl(name)}
        baseUrl={baseUrl}
      />
      <p class="links">
        <a href="/market">Market</a>
        <a href="/docs/reference/market">Price history: API reference</a>
      </p>
    </div>
  );
  return { title: name, description: `Market price of ${name}.`, section: '/market', script: COPY_SCRIPT, main };
}
