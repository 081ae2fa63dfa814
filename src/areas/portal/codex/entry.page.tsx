import type { FC } from 'hono/jsx';
import type { Ports } from '../../../platform/area/area.ts';
import { Choices, DataTable } from '../../../platform/http/pages/parts.tsx';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { CHANGE_TITLES, RELATION_TITLES, typeTitle } from '../layout/codex-texts.data.ts';
import { FOLLOWED_SCRIPT } from '../layout/followed.page.tsx';
import type { OpenPage } from '../layout/layout.page.tsx';
import type { GameNames } from '../layout/reader-language.service.ts';
import { apiUrl, codexUrl, entryUrl, typeUrl } from './codex-links.domain.ts';
import { type EntryHistory, HistorySection, type ItemPrice, PriceSection, RecipeSection } from './item-sections.page.tsx';
import { alternatesOf, type CodexEntry, formatNumber, isShown, type LanguageOption, ModelImage } from './list.pages.tsx';

type Reader = Ports['codexReader'];
type Relation = Awaited<ReturnType<Reader['listRelation']>>;
type RelationTarget = Relation['links'][number];
type EntryData = NonNullable<CodexEntry['data']>;

/** Links of each relation on an entry page. A page of a single relation has `LINKS_PER_PAGE`. */
export const LINKS_PER_RELATION = 24;
export const LINKS_PER_PAGE = 96;
const IMAGE_SIZE = 256;
const PLACEHOLDER_SIZE = 96;
const LINK_IMAGE_SIZE = 40;
/** Maximum number of rows of a table. The JSON response has all rows. */
const MAX_ROWS = 200;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const RELATION_ORDER = Object.keys(RELATION_TITLES);

export interface EntryFacts {
  entry: CodexEntry;
  branch: string;
  /** Language of the address, which links keep; absent: that of the reader. */
  lang?: string | undefined;
  /** Language of names and descriptions; absent for English. */
  shown: string | undefined;
  languages: readonly LanguageOption[];
  /** Names of neighbours and ingredients. */
  names: GameNames;
  neighbours: Awaited<ReturnType<Reader['findNeighbours']>>;
  /** All relations, or only the requested one. */
  relations: readonly Relation[];
  /** Page of the requested relation; null for all relations. */
  page: number | null;
  change: { change: keyof typeof CHANGE_TITLES; tag: string; capturedAt: number | null } | null;
  /** Null for an entry that the market does not have. */
  price: ItemPrice | null;
  /** Null for an entry without a recipe. */
  recipe: Parameters<typeof RecipeSection>[0]['tree'] | null;
  history: EntryHistory;
}

const keyOf = ({ direction, rel }: Pick<Relation, 'direction' | 'rel'>) => `${direction} ${rel}`;

const RelationLink: FC<{ link: RelationTarget; facts: EntryFacts }> = ({
  link: { entry, name, path, qty, data },
  facts: { branch, lang },
}) => {
  const details = [data.group, data.lane].filter((text) => text !== undefined && text !== '');
  return (
    <li class="entry">
      <ModelImage url={entry?.image_url} size={LINK_IMAGE_SIZE} />
      <div>
        {qty === null ? null : <b class="qty">{formatNumber(qty)} × </b>}
        {entry ? <a href={entryUrl(entry.type, entry.path, { branch, lang })}>{entry.name || name}</a> : <span title={path}>{name}</span>}
        <p class="hint">{[entry ? typeTitle(entry.type) : null, ...details].filter(Boolean).join(' · ')}</p>
      </div>
    </li>
  );
};

const RelationList: FC<{ relation: Relation; facts: EntryFacts }> = ({ relation, facts }) => {
  const { entry, branch, lang, page } = facts;
  const { direction, rel, links, hasMore } = relation;
  const id = `${direction}-${rel.replaceAll('_', '-')}`;
  const urlOf = (target: number) => entryUrl(entry.type, entry.path, { branch, lang, direction, rel, page: target });
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{RELATION_TITLES[keyOf(relation)] ?? rel}</h2>
      {links.length === 0 ? <p class="hint">No entries on this page.</p> : null}
      <ul class="entries small-entries">
        {links.map((link) => (
          <RelationLink link={link} facts={facts} />
        ))}
      </ul>
      {page === null && hasMore ? (
        <p>
          <a href={urlOf(1)}>Show all</a>
        </p>
      ) : null}
      {page === null || (page === 1 && !hasMore) ? null : (
        <nav class="pager" aria-label="Pages">
          {page > 1 ? (
            <a class="button" rel="prev" href={urlOf(page - 1)}>
              Previous
            </a>
          ) : null}
          <span>Page {formatNumber(page)}</span>
          {hasMore ? (
            <a class="button" rel="next" href={urlOf(page + 1)}>
              Next
            </a>
          ) : null}
        </nav>
      )}
    </section>
  );
};

const formatValue = (value: number | null, isPercent: boolean) => (value === null ? '?' : `${formatNumber(value)}${isPercent ? ' %' : ''}`);

const Stats: FC<{ stats: EntryData['stats'] }> = ({ stats = [] }) =>
  stats.length === 0 ? null : (
    <>
      <h2>Stats</h2>
      <DataTable
        label="Stats"
        head={['Stat', 'Value', 'Applies to']}
        rows={stats
          .slice(0, MAX_ROWS)
          .map(({ stat_name: name, stat, value, is_percent: isPercent, slot_name: slotName, slot }) => [
            name || stat,
            formatValue(value, isPercent),
            slotName ?? slot ?? 'All slots',
          ])}
      />
    </>
  );

const Abilities: FC<{ abilities: EntryData['abilities'] }> = ({ abilities = [] }) => {
  const visibleAbilities = abilities.filter(({ hidden, name, description }) => !hidden && (name || description)).slice(0, MAX_ROWS);
  if (visibleAbilities.length === 0) return null;
  return (
    <>
      <h2>Abilities</h2>
      <dl class="facts abilities">
        {visibleAbilities.map(({ name, description }) => (
          <>
            <dt>{name ?? 'Ability'}</dt>
            <dd>{description ?? ''}</dd>
          </>
        ))}
      </dl>
    </>
  );
};

const CompanionLevels: FC<{ companion: EntryData['geode_companion'] }> = ({ companion }) => {
  const rows = (companion?.levels ?? []).flatMap(({ level, stats, abilities }) => [
    ...stats.map(({ stat_name: name, value, is_percent: isPercent }) => [`Level ${level}`, name, formatValue(value, isPercent)]),
    ...abilities.map(({ description, ref }) => [`Level ${level}`, 'Ability', description ?? ref]),
  ]);
  return rows.length === 0 ? null : (
    <>
      <h2>Companion levels</h2>
      <DataTable label="Companion levels" head={['Level', 'Grants', 'Value']} rows={rows.slice(0, MAX_ROWS)} />
    </>
  );
};

function factsOf({ entry, change }: EntryFacts): [string, string][] {
  const { tradable, mastery, mastery_geode: geode, power_rank: rank, data } = entry;
  const numberFact = (label: string, value: number | null | undefined): [string, string][] =>
    typeof value === 'number' ? [[label, formatNumber(value)]] : [];
  const requirements = data?.recipe?.requirements ?? [];
  const day = change?.capturedAt == null ? '' : ` (${toIso(change.capturedAt).slice(0, DAY_LENGTH)})`;
  return [
    ...(entry.category ? ([['Category', entry.category]] as [string, string][]) : []),
    ...(typeof tradable === 'boolean' ? ([['Tradable', tradable ? 'Yes' : 'No']] as [string, string][]) : []),
    ...numberFact('Mastery', mastery ?? data?.recipe?.mastery),
    ...numberFact('Geode mastery', geode),
    ...numberFact('Power Rank', rank),
    ...(requirements.length > 0 ? ([['Requires', requirements.join(', ')]] as [string, string][]) : []),
    ...(data?.style?.family ? ([['Family', data.style.family]] as [string, string][]) : []),
    ...(data?.geode_companion?.rarity ? ([['Rarity', data.geode_companion.rarity]] as [string, string][]) : []),
    ...(change ? ([[CHANGE_TITLES[change.change], `${change.tag}${day}`]] as [string, string][]) : []),
    ['File', entry.path],
  ];
}

/** Links to the entry in other languages; none for game files in English only. */
const LanguageLinks: FC<{ facts: EntryFacts }> = ({ facts: { entry, branch, shown, languages } }) =>
  languages.length < 2 ? null : (
    <Choices
      label="Language"
      choices={languages.map(({ code, ownName }, index) => ({
        href: entryUrl(entry.type, entry.path, { branch, lang: code }),
        title: ownName,
        isCurrent: isShown(shown, code, index),
      }))}
    />
  );

/** Links to the entries before and after this one in the list of its type. */
const Neighbours: FC<{ facts: EntryFacts }> = ({ facts: { entry, branch, lang, neighbours, names } }) => {
  const [previous, next] = (['previous', 'next'] as const).map((place) => neighbours.find((neighbour) => neighbour.place === place));
  const urlOf = (path: string) => entryUrl(entry.type, path, { branch, lang });
  return neighbours.length === 0 ? null : (
    <nav class="pager neighbours" aria-label="Entries before and after">
      {previous ? (
        <a rel="prev" href={urlOf(previous.path)}>
          ← {names.at(previous.path, previous.name) || previous.path}
        </a>
      ) : null}
      {next ? (
        <a rel="next" href={urlOf(next.path)}>
          {names.at(next.path, next.name) || next.path} →
        </a>
      ) : null}
    </nav>
  );
};

/** `/codex/{type}/entry?path=`: one entry with its relations. */
export function codexEntryPage(facts: EntryFacts): OpenPage {
  const { entry, branch, lang, shown, languages, names, relations, page, price, recipe, history } = facts;
  const { type, path, description, data } = entry;
  const name = entry.name || path;
  const ordered = relations.toSorted((one, other) => RELATION_ORDER.indexOf(keyOf(one)) - RELATION_ORDER.indexOf(keyOf(other)));
  const main = (
    <article class="codex">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href={codexUrl({ branch, lang })}>Codex</a> <span aria-hidden="true">/</span>{' '}
        <a href={typeUrl(type, { branch, lang })}>{typeTitle(type)}</a>
      </nav>
      <div class="entry-head">
        <ModelImage url={entry.image_url} size={entry.image_url ? IMAGE_SIZE : PLACEHOLDER_SIZE} alt={`Model of ${name}`} isEager isLarge />
        <div>
          <h1 lang={shown}>{name}</h1>
          {description ? (
            <p class="lead user-text" lang={shown}>
              {description}
            </p>
          ) : null}
          <LanguageLinks facts={facts} />
          <dl class="facts">
            {factsOf(facts).map(([term, value]) => (
              <>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
        </div>
      </div>
      {page === null ? (
        <>
          {price === null ? null : <PriceSection price={price} shownName={name} />}
          {recipe === null ? null : <RecipeSection tree={recipe} branch={branch} lang={lang} names={names} />}
          <Stats stats={data?.stats} />
          <Abilities abilities={data?.abilities} />
          <CompanionLevels companion={data?.geode_companion} />
        </>
      ) : (
        <p>
          <a href={entryUrl(type, path, { branch, lang })}>All details of {name}</a>
        </p>
      )}
      {ordered.map((relation) => (
        <RelationList relation={relation} facts={facts} />
      ))}
      {page === null ? <HistorySection {...history} branch={branch} /> : null}
      <Neighbours facts={facts} />
      <p class="links">
        <a href={apiUrl(`/v1/codexes/${type}/entry`, { branch, lang: shown, path })}>JSON</a>
      </p>
    </article>
  );
  return {
    title: `${name} · ${typeTitle(type)}`,
    description: description || `${name}: ${typeTitle(type)} of the game.`,
    section: '/codex',
    alternates: page === null ? alternatesOf(languages, (code) => entryUrl(type, path, { branch, lang: code })) : [],
    ...(price === null ? {} : { script: FOLLOWED_SCRIPT }),
    main,
  };
}
