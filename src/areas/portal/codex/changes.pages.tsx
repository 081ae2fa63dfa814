import type { Child, FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { DataTable, Instant } from '../../../platform/http/pages/parts.tsx';
import { typeTitle } from '../layout/codex-texts.data.ts';
import { type OpenPage, Pager } from '../layout/layout.page.tsx';
import type { GameNames } from '../layout/reader-language.service.ts';
import { apiUrl, changesUrl, codexUrl, entryUrl } from './codex-links.domain.ts';
import { formatNumber } from './list.pages.tsx';

type Patches = Ports['codexPatches'];
type Build = Awaited<ReturnType<Patches['list']>>[number];
type Patch = Awaited<ReturnType<Patches['read']>>;
type EntryChange = Patch['items'][number];
type FieldChange = EntryChange['fields'][number];

export const CHANGES_PER_PAGE = 50;
/** Fields of an entry on the page, items of a list, and characters of a value. The JSON response has all. */
const MAX_FIELDS = 12;
const MAX_ITEMS = 8;
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of an item of a list, best first. */
const NAME_KEYS = ['stat_name', 'name', 'title', 'path', 'text'];

/** An object as its name and the fields that differ from `other`; nested values as JSON. */
function objectText(value: Readonly<Record<string, unknown>>, other: unknown): string {
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string' && value[key] !== '');
  const fields = Object.entries(value).filter(([key, field]) =>
    isObject(other)
      ? JSON.stringify(field) !== JSON.stringify(other[key])
      : key !== nameKey && ['number', 'boolean'].includes(typeof field),
  );
  const texts = fields.map(([key, field]) => `${key.replaceAll('_', ' ')} ${valueText(field)}`);
  return [...(nameKey === undefined ? [] : [String(value[nameKey])]), ...(texts.length > 0 ? [texts.join(', ')] : [])].join(': ');
}

function valueText(value: unknown, other?: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number'
        ? formatNumber(value)
        : typeof value === 'boolean'
          ? YES_NO[`${value}`]
          : isObject(value)
            ? objectText(value, other)
            : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

const YES_NO = { true: 'yes', false: 'no' } as const;

/** Items of one list that the other lacks, one per line, each beside the item in its place of the other list. */
const Items: FC<{ items: readonly unknown[]; others: readonly unknown[] }> = ({ items, others }) =>
  items.length === 0 ? (
    <>–</>
  ) : (
    <>
      {items.slice(0, MAX_ITEMS).map((item, index) => (
        <div>{valueText(item, others[index])}</div>
      ))}
      {items.length > MAX_ITEMS ? <div class="hint">and {formatNumber(items.length - MAX_ITEMS)} more</div> : null}
    </>
  );

/** The value before and after: of lists the items that differ, of numbers with the difference. */
function sidesOf({ old, new: value, difference, added, removed }: FieldChange): [Child, Child] {
  if (added && removed) {
    if (added.length === 0 && removed.length === 0) return ['–', 'another order'];
    return [<Items items={removed} others={added} />, <Items items={added} others={removed} />];
  }
  if (difference === undefined) return [valueText(old, value), valueText(value, old)];
  return [
    valueText(old),
    <>
      {valueText(value)}
      <span class="hint">
        {' '}
        ({difference > 0 ? '+' : ''}
        {formatNumber(difference)})
      </span>
    </>,
  ];
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

/** Tags of the versions of the archive, by their number. */
type VersionTags = ReadonlyMap<number, { tag: string }>;

const versionTitle = (ordinal: number | null, tags: VersionTags) =>
  ordinal === null ? 'an older version' : (tags.get(ordinal)?.tag ?? `version ${ordinal}`);

/** `/codex/changes`: the kept builds of a branch. */
export function codexBuildsPage({ branch, builds, tags }: { branch: string; builds: readonly Build[]; tags: VersionTags }): OpenPage {
  const main = (
    <article class="codex">
      <Crumbs branch={branch} />
      <h1>Patch notes</h1>
      <p class="lead">
        What changed in the game files, field by field, for{' '}
        {builds.length === 1 ? 'the newest indexed version' : `the last ${formatNumber(builds.length)} indexed versions`}.
      </p>
      {builds.length === 0 ? <p class="hint">No version is indexed yet.</p> : null}
      <ul class="entries small-entries">
        {builds.map((build) => (
          <li class="entry">
            <div>
              {build.previous === null ? (
                <b>{tags.get(build.ordinal)?.tag ?? `Version ${build.ordinal}`}</b>
              ) : (
                <a href={changesUrl(build.ordinal, { branch })}>{tags.get(build.ordinal)?.tag ?? `Version ${build.ordinal}`}</a>
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

/** Fields of an entry with their values before and after. */
export const ChangedFields: FC<{ fields: readonly FieldChange[]; label: string }> = ({ fields, label }) => (
  <>
    {fields.length === 0 ? null : (
      <DataTable
        label={label}
        head={['Field', 'Before', 'After']}
        rows={fields.slice(0, MAX_FIELDS).map((field) => [fieldTitle(field.field), ...sidesOf(field)])}
      />
    )}
    {fields.length > MAX_FIELDS ? <p class="hint">and {formatNumber(fields.length - MAX_FIELDS)} more fields</p> : null}
  </>
);

const ChangedEntry: FC<{ change: EntryChange; branch: string; names: GameNames }> = ({
  change: { type, path, name, change, fields },
  branch,
  names,
}) => (
  <section class="patch-entry">
    <h2>
      {change === 'removed' ? name || path : <a href={entryUrl(type, path, { branch })}>{names.at(path, name) || path}</a>}{' '}
      <span class="hint">
        {typeTitle(type)} · {CHANGE_WORDS[change]}
      </span>
    </h2>
    {change === 'modified' ? <ChangedFields fields={fields} label={`Changed fields of ${typeTitle(type)}: ${path}`} /> : null}
  </section>
);

interface PatchFacts {
  branch: string;
  patch: Patch;
  page: number;
  tags: VersionTags;
  /** Names of the changed entries. */
  names: GameNames;
}

/** `/codex/changes/{ordinal}`: the changes of a build. */
export function codexPatchPage({ branch, patch, page, tags, names }: PatchFacts): OpenPage {
  const { row, items, total } = patch;
  const title = `Patch notes: ${versionTitle(row.ordinal, tags)}`;
  const offset = (page - 1) * CHANGES_PER_PAGE;
  const main = (
    <article class="codex">
      <Crumbs branch={branch} isPatch />
      <h1>{title}</h1>
      <p class="lead">
        {summaryOf(row)} since {versionTitle(row.previous, tags)}, <Instant at={row.created_at} />.
      </p>
      {items.length === 0 ? <p class="hint">No entries on this page.</p> : null}
      {items.map((change) => (
        <ChangedEntry change={change} branch={branch} names={names} />
      ))}
      <Pager
        page={page}
        pages={Math.ceil(total / CHANGES_PER_PAGE)}
        urlOf={(target) => changesUrl(row.ordinal, { branch, page: target })}
      />
      <p class="links">
        <a href={apiUrl(`/v1/codexes/changes/${row.ordinal}`, { branch, limit: CHANGES_PER_PAGE, offset })}>JSON</a>
        <a href={apiUrl(`/v1/codexes/changes/${row.ordinal}`, { branch, format: 'csv', bom: 1, limit: CHANGES_PER_PAGE, offset })}>CSV</a>
      </p>
    </article>
  );
  return { title, description: `${title}: ${summaryOf(row)}.`, section: '/codex', main };
}
