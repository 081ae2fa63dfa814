import type { FC } from 'hono/jsx';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { OpenPage } from '../layout/layout.page.tsx';
import { apiUrl, codexUrl, entryUrl } from './codex-links.domain.ts';
import { priceWithCurrency, ShoppingList, type TreeProps } from './item-sections.page.tsx';
import { formatNumber } from './list.pages.tsx';

type TreeNode = TreeProps['tree']['nodes'][number];

const CUT_NOTES: Readonly<Record<string, string>> = { cycle: 'needs itself', depth: 'more levels below', size: 'more items below' };

interface BranchProps extends Omit<TreeProps, 'tree'> {
  node: TreeNode;
  partsOf: ReadonlyMap<number, TreeNode[]>;
}

const NodeLine: FC<Omit<BranchProps, 'partsOf'>> = ({ node, branch, lang, names }) => (
  <>
    <b class="qty">{formatNumber(node.quantity)} × </b>
    {node.type === null ? (
      names.at(node.path, node.name)
    ) : (
      <a href={entryUrl(node.type, node.path, { branch, lang })}>{names.at(node.path, node.name)}</a>
    )}
    <span class="hint">
      {' '}
      {node.cost === null ? 'price unknown' : `${node.choice === 'buy' ? 'buy for' : 'make for'} ${priceWithCurrency(node.cost)}`}
      {node.choice === 'buy' && node.make_cost !== null ? `, making costs ${priceWithCurrency(node.make_cost)}` : ''}
      {node.choice === 'make' && node.buy_cost !== null ? `, buying costs ${priceWithCurrency(node.buy_cost)}` : ''}
      {node.cut === null ? '' : ` (${CUT_NOTES[node.cut]})`}
    </span>
  </>
);

/** An item with its ingredients. Ingredients of what is cheaper to buy are folded. */
const TreeBranch: FC<BranchProps> = ({ node, ...shared }) => {
  const { partsOf, ...line } = shared;
  const parts = partsOf.get(node.id) ?? [];
  const list = (
    <ul>
      {parts.map((part) => (
        <TreeBranch node={part} {...shared} />
      ))}
    </ul>
  );
  return (
    <li>
      <NodeLine node={node} {...line} />
      {parts.length === 0 ? null : node.choice === 'buy' && node.parent !== null ? (
        <details>
          <summary>Ingredients</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </li>
  );
};

/** `/codex/crafting`: what an item is made of. */
export function craftingPage({ tree, ...shared }: TreeProps): OpenPage {
  const { branch, lang, names } = shared;
  const root = tree.nodes[0];
  const name = names.at(tree.path, tree.name) || tree.path;
  const amount = formatNumber(tree.quantity);
  const makeCost = root?.make_cost ?? null;
  const buyCost = root?.buy_cost ?? null;
  const partsOf = Map.groupBy(
    tree.nodes.filter(({ parent }) => parent !== null),
    ({ parent }) => parent ?? 0,
  );
  const main = (
    <article class="codex">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href={codexUrl({ branch, lang })}>Codex</a>
        {root?.type ? (
          <>
            {' '}
            <span aria-hidden="true">/</span> <a href={entryUrl(root.type, root.path, { branch, lang })}>{name}</a>
          </>
        ) : null}
      </nav>
      <h1>Crafting {name}</h1>
      <p class="lead">
        {makeCost === null
          ? `What making ${amount} costs is not known: some items have no market price.`
          : `Making ${amount} costs about ${priceWithCurrency(makeCost)}${buyCost === null ? '' : `, buying ${priceWithCurrency(buyCost)}`}.`}
      </p>
      <form class="row codex-search crafting-form" action="/codex/crafting">
        <input type="hidden" name="path" value={tree.path} />
        {branch === LIVE_BRANCH ? null : <input type="hidden" name="branch" value={branch} />}
        {lang === undefined ? null : <input type="hidden" name="lang" value={lang} />}
        <div class="field">
          <label for="quantity">Quantity</label>
          <input id="quantity" type="number" name="quantity" min="1" max="1000000" value={String(tree.quantity)} />
        </div>
        <button type="submit">Update</button>
      </form>
      <h2>Shopping list</h2>
      <ShoppingList tree={tree} {...shared} />
      <h2>Tree</h2>
      <p class="hint">Costs are for the whole quantity. Ingredients of what is cheaper to buy are folded.</p>
      <ul class="crafting-tree">{root === undefined ? null : <TreeBranch node={root} partsOf={partsOf} {...shared} />}</ul>
      {tree.truncated ? <p class="hint">The tree is cut: it has more levels or items.</p> : null}
      <p class="links">
        <a href={apiUrl('/v1/codexes/recipes/tree', { branch, path: tree.path, quantity: tree.quantity })}>JSON</a>
      </p>
    </article>
  );
  return { title: `Crafting ${name}`, description: `What ${name} is made of, and what it costs.`, section: '/codex', main };
}
