import type { FC } from 'hono/jsx';
import { CURRENCY } from '../../../game/currency.data.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { LineChart } from '../../../platform/http/pages/charts.tsx';
import { DataTable, Instant } from '../../../platform/http/pages/parts.tsx';
import { FollowPlace } from '../layout/followed.page.tsx';
import type { GameNames } from '../layout/reader-language.service.ts';
import { ChangedFields } from './changes.pages.tsx';
import { changesUrl, entryUrl, treeUrl } from './codex-links.domain.ts';
import { formatNumber } from './list.pages.tsx';

export type ItemPrice = NonNullable<Awaited<ReturnType<Ports['marketPrice']>>>;
type Tree = Awaited<ReturnType<Ports['craftingTree']>>;
type FieldChange = Awaited<ReturnType<Ports['codexPatches']['readFields']>>[number];
type FileChange = Awaited<ReturnType<Ports['updatePages']['fileHistory']>>[number];

const priceFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** A price with its currency; an em dash for null. */
export const priceWithCurrency = (price: number | null) => (price === null ? '—' : `${priceFormat.format(price)}\u00a0${CURRENCY}`);

/** The page of the market with all days and listings: a given window is not led to the codex. */
const pricesUrl = (name: string) => `/market/item?${new URLSearchParams({ name, days: '30' })}`;

/** What one piece costs, with a chart and the cheapest listings. */
export const PriceSection: FC<{ price: ItemPrice; shownName: string }> = ({
  price: { name, asOf, active, points, listings },
  shownName,
}) => (
  <section aria-labelledby="price">
    <h2 id="price">Market price</h2>
    <p>
      {active === null ? (
        'No active listing.'
      ) : (
        <>
          <b>{priceWithCurrency(active.medianEach)}</b> a piece: the median of {formatNumber(active.count)} active{' '}
          {active.count === 1 ? 'listing' : 'listings'}, the cheapest for {priceWithCurrency(active.minEach)}.
        </>
      )}{' '}
      <span class="hint">
        As of <Instant at={asOf} />.
      </span>
    </p>
    <FollowPlace item={name} />
    <div class="item-chart">
      <LineChart
        id="item-price"
        title={`Median price of one piece in ${CURRENCY}, by day`}
        unit={CURRENCY}
        points={points.some(({ value }) => value !== null) ? points : []}
        from={points[0]?.at ?? asOf}
        to={asOf}
        format={(value) => (value === null ? '—' : priceFormat.format(value))}
        none="No listing was created in the last days."
        hasTable={false}
      />
    </div>
    {listings.length === 0 ? null : (
      <details>
        <summary>The cheapest listings</summary>
        <DataTable
          label="The cheapest listings"
          head={['A piece', 'Pieces', 'Listing', 'Last seen']}
          rows={listings.map(({ priceEach, stack, price, lastSeen }) => [
            priceWithCurrency(priceEach),
            formatNumber(stack),
            priceWithCurrency(price),
            <Instant at={lastSeen} />,
          ])}
          isNumeric
        />
      </details>
    )}
    <p class="links">
      <a href={pricesUrl(name)}>All prices of {shownName}</a>
      <a href="/market">Market</a>
    </p>
  </section>
);

/** A tree with the names of its items, and the language of the address, which links keep. */
export interface TreeProps {
  tree: Tree;
  branch: string;
  lang: string | undefined;
  names: GameNames;
}

/** What to buy for a tree, with the cost of each and of all. */
export const ShoppingList: FC<TreeProps> = ({ tree: { materials, nodes }, branch, lang, names }) => {
  const types = new Map(nodes.map(({ path, type }) => [path, type]));
  const known = materials.filter((material) => material.cost !== null);
  const sum = known.reduce((total, material) => total + (material.cost ?? 0), 0);
  const unknown = materials.length - known.length;
  return (
    <>
      <DataTable
        label="Shopping list"
        head={['Item', 'Quantity', `Cost (${CURRENCY})`]}
        rows={materials.map(({ path, name: english, quantity, unit_price: each, cost: materialCost }) => {
          const name = names.at(path, english);
          const type = types.get(path) ?? null;
          return [
            <>
              {type === null ? name : <a href={entryUrl(type, path, { branch, lang })}>{name}</a>}
              {each === null ? null : <div class="hint">{priceFormat.format(each)} a piece</div>}
            </>,
            formatNumber(quantity),
            materialCost === null ? '—' : priceFormat.format(materialCost),
          ];
        })}
        isNumeric
      />
      <p>
        <b>Total: {known.length === 0 && unknown > 0 ? 'unknown' : priceWithCurrency(sum)}</b>
        {unknown === 0
          ? ', at the median price of the active listings of each item.'
          : `, without ${formatNumber(unknown)} ${unknown === 1 ? 'item that has' : 'items that have'} no market price.`}
      </p>
    </>
  );
};

/** The recipe of an item, folded, with its cost. */
export const RecipeSection: FC<TreeProps> = (props) => {
  const { tree, branch, lang } = props;
  const make = tree.nodes[0]?.make_cost ?? null;
  return (
    <section aria-labelledby="recipe">
      <h2 id="recipe">Recipe</h2>
      <details>
        <summary>
          {make === null ? 'Cost of making one: not known' : `Making one costs ${priceWithCurrency(make)}`}
          {tree.nodes[0]?.choice === 'buy' && make !== null ? ', more than buying it' : ''}
        </summary>
        <Ingredients {...props} />
      </details>
      <p class="links">
        <a href={treeUrl(tree.path, { branch, lang })}>Crafting tree and shopping list</a>
      </p>
    </section>
  );
};

/** The ingredients of the root of a tree. */
const Ingredients: FC<TreeProps> = ({ tree: { nodes }, branch, lang, names }) => (
  <DataTable
    label="Ingredients"
    head={['Item', 'Quantity', `Cost (${CURRENCY})`]}
    rows={nodes
      .filter(({ depth }) => depth === 1)
      .map(({ type, path, name, quantity, cost }) => [
        type === null ? names.at(path, name) : <a href={entryUrl(type, path, { branch, lang })}>{names.at(path, name)}</a>,
        formatNumber(quantity),
        cost === null ? '—' : priceFormat.format(cost),
      ])}
    isNumeric
  />
);

const CHANGE_WORDS: Readonly<Record<string, string>> = { added: 'Added', modified: 'Changed', removed: 'Removed' };

export interface EntryHistory {
  /** The versions that changed the file, newest first. */
  changes: readonly FileChange[];
  /** Fields that a version changed, by its number; of the newest versions whose changes are kept. */
  fields: ReadonlyMap<number, readonly FieldChange[]>;
  /** Versions with patch notes. */
  readable: ReadonlySet<number>;
}

/** The versions that changed the file of an entry, the newest with the fields before and after. */
export const HistorySection: FC<EntryHistory & { branch: string }> = ({ changes, fields, readable, branch }) => {
  const [newest] = [...fields].find(([, changed]) => changed.length > 0) ?? [];
  return changes.length === 0 ? null : (
    <section aria-labelledby="history">
      <h2 id="history">History of the file</h2>
      <ul class="history">
        {changes.map(({ type, ordinal, tag, capturedAt }) => (
          <li>
            {CHANGE_WORDS[type] ?? type} in <a href={`/updates/${encodeURIComponent(branch)}/${ordinal}`}>{tag}</a>,{' '}
            <Instant at={capturedAt} dayOnly />
            {readable.has(ordinal) ? (
              <>
                {' '}
                (<a href={changesUrl(ordinal, { branch })}>patch notes</a>)
              </>
            ) : null}
            <FieldsOf tag={tag} fields={fields.get(ordinal)} isOpen={ordinal === newest} />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** `fields`: undefined if they are not read; empty if the change of the file changed none. */
const FieldsOf: FC<{ tag: string; fields: readonly FieldChange[] | undefined; isOpen: boolean }> = ({ tag, fields, isOpen }) => {
  if (fields === undefined) return null;
  if (fields.length === 0) return <p class="hint">No field that the codex shows changed.</p>;
  return (
    <details open={isOpen}>
      <summary>
        {formatNumber(fields.length)} changed {fields.length === 1 ? 'field' : 'fields'}
      </summary>
      <ChangedFields fields={fields} label={`Changed fields in ${tag}`} />
    </details>
  );
};
