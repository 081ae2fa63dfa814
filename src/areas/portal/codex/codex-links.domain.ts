import { LIVE_BRANCH } from '../../../game/branches.data.ts';

/** Query of a codex page. Absent, empty and default values are omitted, so each page has one URL. */
type Query = Readonly<Record<string, string | number | null | undefined>>;

const DEFAULTS: Readonly<Record<string, string | number>> = {
  branch: LIVE_BRANCH,
  page: 1,
  sort: 'name',
  quantity: 1,
  offset: 0,
};

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '' || DEFAULTS[name] === value) continue;
    search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

export function codexUrl(query: Query = {}): string {
  return withQuery('/codex', query);
}

export function typeUrl(type: string, query: Query = {}): string {
  return withQuery(`/codex/${encodeURIComponent(type)}`, query);
}

export function entryUrl(type: string, path: string, query: Query = {}): string {
  return withQuery(`/codex/${encodeURIComponent(type)}/entry`, { path, ...query });
}

/** URL of the patch notes; of one version with `ordinal`. */
export function changesUrl(ordinal: number | null, query: Query = {}): string {
  return withQuery(ordinal === null ? '/codex/changes' : `/codex/changes/${ordinal}`, query);
}

/** URL of the crafting tree of an item. */
export function treeUrl(path: string, query: Query = {}): string {
  return withQuery('/codex/crafting', { path, ...query });
}

/** URL of the same content as JSON. */
export function apiUrl(path: string, query: Query = {}): string {
  return withQuery(path, query);
}
