import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area.ts';
import { Instant } from '../../../platform/http/pages/instant.tsx';
import type { OpenPage } from '../page.tsx';
import { apiUrl, changesUrl, codexUrl, entryUrl, treeUrl } from './codex-links.domain.ts';
import { typeTitle } from './codex-texts.data.ts';
import { formatNumber, Pager } from './list.pages.tsx';

type Patches = Ports['codexPatches'];
type Build = Awaited<ReturnType<Patches['list']>>[number];
type Patch = Awaited<ReturnType<Patches['read']>>;
type EntryChange = Patch['items'][number];
type Tree = Awaited<ReturnType<Ports['craftingTree']>>;
type TreeNode = Tree['nodes'][number];

export const CHANGES_PER_PAGE = 50;
/** Fields of an entry on the page, and characters of a value. The JSON response has all. */
const MAX_FIELDS = 12;
const MAX_VALUE_LENGTH = 120;

const CHANGE_WORDS = { added: 'new', modified: 'changed', removed: 'removed' } as const;
const SEGMENT = /^\/(data\/)?/;

/** `/data/recipe/ingredients` as `recipe › ingredients`. */
const fieldTitle = (pointer: string) =>
  pointer
    .replace(SEGMENT, '')
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('_', ' '))
    .join(' › ');

function valueText(value: unknown): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : typeof value === 'number' ? formatNumber(value) : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

const summaryOf = ({ added, modified, removed }: Pick<Build, 'added' | 'modified' | 'removed'>) =>
  [`${formatNumber(added)} new`, `${formatNumber(modified)} changed`, `${formatNumber(removed)} removed`].join(', ');

const Crumbs: FC<{ branch: string; isPatch?: boolean }> = ({ branch, isPatch = false }) => (
  <nav aria-label="Breadcrumb" class="crumbs">
    <a href={codexUrl({ branch })}>Codex</a>
    {isPatch ? (
      <>
        {' '}
        <span aria-hidden="true">/</span> <a href={changesUrl(null, { branch })}>Patch notes</a>
      </>
    ) : null}
  </nav>
);

/** `/codex/changes`: the kept builds of a branch. */
export function codexBuildsPage({ branch, builds }: { branch: string; builds: readonly Build[] }): OpenPage {
  const main = (
    <article class="codex">
      <Crumbs branch={branch} />
      <h1>Patch notes</h1>
      <p class="lead">What changed in the game files, field by field, for the last {formatNumber(builds.length)} indexed versions.</p>
      {builds.length === 0 ? <p class="hint">No version is indexed yet.</p> : null}
      <ul class="entries small-entries">
        {builds.map((build) => (
          <li class="entry">
            <div>
              {build.previous === null ? (
                <b>Version {build.ordinal}</b>
              ) : (
                <a href={changesUrl(build.ordinal, { branch })}>Version {build.ordinal}</a>
              )}
              <p class="hint">
                <Instant at={build.created_at} /> · {build.previous === null ? 'first kept version' : summaryOf(build)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p class="links">
        <a href={apiUrl('/v1/codexes/changes.atom', { branch })}>Atom feed</a>
        <a href={apiUrl('/v1/codexes/builds', { branch })}>JSON</a>
      </p>
    </article>
  );
  return { title: 'Patch notes', description: 'Changes of the game content by version, field by field.', section: '/codex', main };
}

const ChangedEntry: FC<{ change: EntryChange; branch: string }> = ({ change: { type, path, name, change, fields }, branch }) => (
  <section class="patch-entry">
    <h3>
      {change === 'removed' ? name || path : <a href={entryUrl(type, path, { branch })}>{name || path}</a>}{' '}
      <span class="hint">
        {typeTitle(type)} · {CHANGE_WORDS[change]}
      </span>
    </h3>
    {change !== 'modified' || fields.length === 0 ? null : (
      <section class="scroll" tabindex={0} aria-label={`Changed fields of ${name || path}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.slice(0, MAX_FIELDS).map(({ field, old, new: value, difference }) => (
              <tr>
                <th scope="row">{fieldTitle(field)}</th>
                <td>{valueText(old)}</td>
                <td>
                  {valueText(value)}
                  {difference === undefined ? null : (
                    <span class="hint">
                      {' '}
                      ({difference > 0 ? '+' : ''}
                      {formatNumber(difference)})
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
    {fields.length > MAX_FIELDS && change === 'modified' ? (
      <p class="hint">and {formatNumber(fields.length - MAX_FIELDS)} more fields</p>
    ) : null}
  </section>
);

/** `/codex/changes/{ordinal}`: the changes of a build. */
export function codexPatchPage({ branch, patch, page }: { branch: string; patch: Patch; page: number }): OpenPage {
  const { row, items, total } = patch;
  const title = `Patch notes: version ${row.ordinal}`;
  const offset = (page - 1) * CHANGES_PER_PAGE;
  const main = (
    <article class="codex">
      <Crumbs branch={branch} isPatch />
      <h1>{title}</h1>
      <p class="lead">
        {summaryOf(row)} since version {row.previous}, <Instant at={row.created_at} />.
      </p>
      {items.length === 0 ? <p class="hint">No entries on this page.</p> : null}
      {items.map((change) => (
        <ChangedEntry change={change} branch={branch} />
      ))}
      <Pager
        page={page}
        pages={Math.ceil(total / CHANGES_PER_PAGE)}
        urlOf={(target) => changesUrl(row.ordinal, { branch, page: target })}
      />
      <p class="links">
        <a href={apiUrl(`/v1/codexes/changes/${row.ordinal}`, { branch, limit: CHANGES_PER_PAGE, offset })}>JSON</a>
        <a href={apiUrl(`/v1/codexes/changes/${row.ordinal}`, { branch, format: 'csv', limit: CHANGES_PER_PAGE, offset })}>CSV</a>
      </p>
    </article>
  );
  return { title, description: `${title}: ${summaryOf(row)}.`, section: '/codex', main };
}

const costText = (cost: number | null) => (cost === null ? '–' : formatNumber(cost));

/** `/codex/crafting`: what an item is made of. */
export function craftingPage({ branch, tree }: { branch: string; tree: Tree }): OpenPage {
  const root = tree.nodes[0];
  const name = tree.name || tree.path;
  const linkOf = (node: Pick<TreeNode, 'type' | 'path' | 'name'>) =>
    node.type === null ? node.name : <a href={entryUrl(node.type, node.path, { branch })}>{node.name}</a>;
  const notes: Record<string, string> = { cycle: 'needs itself', depth: 'more levels below', size: 'more items below' };
  const main = (
    <article class="codex">
      <Crumbs branch={branch} />
      <h1>Crafting {name}</h1>
      <p class="lead">
        {formatNumber(tree.quantity)} × {root ? linkOf(root) : name}
        {tree.cost === null ? '' : `: about ${formatNumber(tree.cost)} at median market prices`}
      </p>
      <form class="filters" action="/codex/crafting">
        <input type="hidden" name="path" value={tree.path} />
        {branch === 'live-us' ? null : <input type="hidden" name="branch" value={branch} />}
        <label>
          Quantity <input type="number" name="quantity" min="1" max="1000000" value={String(tree.quantity)} />
        </label>
        <button type="submit">Update</button>
      </form>
      <h2>Tree</h2>
      <section class="scroll" tabindex={0} aria-label="Crafting tree">
        <table>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Quantity</th>
              <th scope="col">Buy</th>
              <th scope="col">Make</th>
              <th scope="col">Cheaper</th>
            </tr>
          </thead>
          <tbody>
            {tree.nodes.map((node) => (
              <tr>
                <th scope="row">
                  {'\u2003'.repeat(node.depth)}
                  {linkOf(node)}
                  {node.cut === null ? null : <span class="hint"> ({notes[node.cut]})</span>}
                </th>
                <td>{formatNumber(node.quantity)}</td>
                <td>{costText(node.buy_cost)}</td>
                <td>{costText(node.make_cost)}</td>
                <td>{node.choice ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <h2>What to get</h2>
      <ul>
        {tree.materials.map((material) => (
          <li>
            {formatNumber(material.quantity)} × {material.name}
            {material.cost === null ? null : <span class="hint"> about {formatNumber(material.cost)}</span>}
          </li>
        ))}
      </ul>
      <p class="links">
        <a href={apiUrl('/v1/codexes/recipes/tree', { branch, path: tree.path, quantity: tree.quantity })}>JSON</a>
        <a href={treeUrl(tree.path, { branch, quantity: tree.quantity })}>Link to this page</a>
      </p>
    </article>
  );
  return { title: `Crafting ${name}`, description: `What ${name} is made of, and what it costs.`, section: '/codex', main };
}
