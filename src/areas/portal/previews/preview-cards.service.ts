import type { Ports } from '../../../platform/area/area.ts';
import type { Preview } from '../../../platform/http/pages/preview-tags.tsx';
import { typeTitle } from '../codex/codex-texts.data.ts';
import type { PreviewCard } from './preview-card.domain.ts';

type PublicMod = Awaited<ReturnType<Ports['publicMod']>>;
type CodexEntry = Awaited<ReturnType<Ports['codexReader']['findEntry']>>;
type Card = Omit<PreviewCard, 'site'>;

const MAX_DESCRIPTION_LENGTH = 300;
const numberFormat = new Intl.NumberFormat('en');

const FRONT_TEXT = 'Rotations, merchants, biomes, server status, news, stats, gems, mods, market and more, over plain HTTP and JSON.';
const STATUS_TEXT = 'State of every part of the service, with incidents of the last 90 days.';

const truncate = (text: string) => (text.length > MAX_DESCRIPTION_LENGTH ? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…` : text);

export const frontCard: Card = {
  kind: '',
  title: 'Live game data',
  fallbackTitle: '',
  text: FRONT_TEXT,
  facts: ['No token needed', 'Event stream', 'OpenAPI'],
};
export const statusCard: Card = { kind: '', title: 'Service status', fallbackTitle: '', text: STATUS_TEXT, facts: [] };

export function modCard({ title, author, summary, tags, download_count: downloads, handle, slug }: PublicMod): Card {
  return {
    kind: 'Mod',
    title,
    fallbackTitle: `${handle}/${slug}`,
    text: summary || `A mod by ${author}.`,
    facts: [`by ${author}`, `${numberFormat.format(downloads)} downloads`, ...tags],
  };
}

export function codexCard({ type, path, name, description, category, mastery, tradable }: CodexEntry): Card {
  return {
    kind: typeTitle(type),
    title: name || path,
    fallbackTitle: path.slice(path.lastIndexOf('/') + 1),
    text: description ?? '',
    facts: [
      category ?? '',
      typeof mastery === 'number' ? `${numberFormat.format(mastery)} mastery` : '',
      tradable === true ? 'Tradable' : tradable === false ? 'Not tradable' : '',
    ],
  };
}

export function frontPreview(appName: string, baseUrl: string): Preview {
  return { title: appName, description: FRONT_TEXT, url: `${baseUrl}/`, image: `${baseUrl}/og/front.png` };
}

export function modPreview({ title: name, author, summary, handle, slug, page_url: url }: PublicMod, baseUrl: string): Preview {
  const title = `${name} by ${author}`;
  const image = `${baseUrl}/og/mods/${encodeURIComponent(handle)}/${encodeURIComponent(slug)}.png`;
  return { title, description: truncate(summary) || title, url, image };
}

export function codexPreview(entry: CodexEntry, branch: { branch?: string }, baseUrl: string): Preview {
  const query = new URLSearchParams({ path: entry.path, ...branch });
  const title = `${entry.name || entry.path} · ${typeTitle(entry.type)}`;
  return {
    title,
    description: truncate(entry.description ?? '') || title,
    url: `${baseUrl}/codex/${entry.type}/entry?${query}`,
    image: `${baseUrl}/og/codex/${entry.type}.png?${query}`,
  };
}
