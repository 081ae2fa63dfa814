import type { Ports } from '../../../platform/area/area.ts';
import { type PreviewSection, TOOLS, type ToolLink, type ToolName, toolNamed } from '../../../platform/http/pages/menu.data.ts';
import type { Preview } from '../../../platform/http/pages/preview-tags.tsx';
import { isNotModified } from '../../../platform/http/replies/preconditions.ts';
import type { RawReply } from '../../../platform/http/replies/reply.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import type { FontSource } from '../../../platform/kit/images/font-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { deleteDerivedBefore } from '../../../platform/storage/dated-objects.ts';
import { typeTitle } from '../layout/codex-texts.data.ts';
import { PREVIEW_VERSION, type PreviewCard, previewSvg } from './preview-card.domain.ts';
import { SECTION_ICONS } from './section-icons.data.ts';

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

/** Cards of the sections, for pages without a card of their own. */
const SECTIONS: Readonly<Record<PreviewSection, { title: string; text: string; facts: readonly string[] }>> = {
  today: {
    title: 'Today in the game',
    text: 'The bonus of the day, biomes, merchants, challenges and news, with the next reset.',
    facts: [],
  },
  week: {
    title: 'This week in the game',
    text: 'The weekly bonus, the bonus of each day, merchants, harvest and the chaos chest.',
    facts: [],
  },
  merchants: {
    title: 'Merchants',
    text: 'When Corruxion, Fluxion and Luxion come next.',
    facts: ['Countdowns', 'Calendar to subscribe to'],
  },
  codex: {
    title: 'Codex',
    text: 'Items, mounts, recipes and collections of the game, from its files.',
    facts: ['Search', 'All languages'],
  },
  market: { title: 'Market', text: 'Prices that moved, deals and the most listed items.', facts: ['Prices by day'] },
  leaderboards: { title: 'Leaderboards', text: 'The boards of the game with their first ranks.', facts: ['Every hour and day'] },
  players: { title: 'Players', text: 'The ranks of a player on all boards.', facts: [] },
  activity: { title: 'Player activity', text: 'Active players over time and by class.', facts: ['From a day to years'] },
  mods: { title: 'Mods', text: 'Mods with their releases, files and authors.', facts: ['Download', 'Publish'] },
  updates: { title: 'Game updates', text: 'Archived versions of the game with their changes.', facts: [] },
  servers: { title: 'Game servers', text: 'Status of the game servers and their outages.', facts: ['Now', 'History'] },
  docs: { title: 'Documentation', text: 'Guides, recipes and the reference of the API.', facts: ['HTTP and JSON', 'OpenAPI'] },
  live: {
    title: 'Live events',
    text: 'Every change as it happens: rotations, merchants, server status and news.',
    facts: ['Event stream'],
  },
  search: { title: 'Search', text: 'Pages, codex, market, players, boards, mods and documentation.', facts: [] },
};

export function sectionCard(section: PreviewSection): Card {
  return { kind: '', ...SECTIONS[section], fallbackTitle: '', icon: SECTION_ICONS[section] };
}

export function toolCard(name: ToolName): Card {
  const { title, text, label } = toolNamed(name);
  return { kind: 'Tool', title, fallbackTitle: label, text, facts: ['Free', 'No account', 'In your browser'] };
}

export const toolsCard: Card = {
  kind: '',
  title: 'Tools for players',
  fallbackTitle: '',
  text: `${TOOLS.map(({ title }) => title).join(', ')}.`,
  facts: ['Free', 'No account', 'In your browser'],
};

export function modCard({ title, author, summary, tags, download_count: downloads, handle, slug }: PublicMod): Card {
  return {
    kind: 'Mod',
    title,
    fallbackTitle: `${handle}/${slug}`,
    icon: SECTION_ICONS.mods,
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
    icon: SECTION_ICONS.codex,
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

export function toolsPreview(baseUrl: string): Preview {
  return { title: toolsCard.title, description: toolsCard.text, url: `${baseUrl}/tools`, image: `${baseUrl}/og/tools.png` };
}

/** `image`: path of the image. */
export function toolPreview({ title, text, name }: ToolLink, baseUrl: string, image = `/og/tools/${name}.png`): Preview {
  return { title, description: text, url: `${baseUrl}/tools/${name}`, image: `${baseUrl}${image}` };
}

export function modPreview({ title: name, author, summary, handle, slug, page_url: url }: PublicMod, baseUrl: string): Preview {
  const title = `${name} by ${author}`;
  const image = `${baseUrl}/og/mods/${encodeURIComponent(handle)}/${encodeURIComponent(slug)}.png`;
  return { title, description: truncate(summary) || title, url, image };
}

/** `lang`: the language of the address. The image is in English, because its fonts have Latin letters only. */
export function codexPreview(entry: CodexEntry, branch: { branch?: string }, baseUrl: string, lang?: string): Preview {
  const query = new URLSearchParams({ path: entry.path, ...branch });
  const address = new URLSearchParams([...query, ...(lang === undefined ? [] : [['lang', lang]])]);
  const title = `${entry.name || entry.path} · ${typeTitle(entry.type)}`;
  return {
    title,
    description: truncate(entry.description ?? '') || title,
    url: `${baseUrl}/codex/${entry.type}/entry?${address}`,
    image: `${baseUrl}/og/codex/${entry.type}.png?${query}`,
  };
}

/** Estimated CPU time of rendering one image. */
const RENDER_CPU_MS = 150;

/** Stored images are deleted after this time, and rendered again on demand. */
const TTL_SECONDS = 30 * SECONDS_PER_DAY;
const PREFIX = 'previews/';

interface PreviewRequest {
  request: Request;
  /** Counts a new image. The 429 if the address exceeds its rate limit; otherwise null. */
  chargeLater(): Promise<ApiError | null>;
}

/** Renders each image once and stores it in the bucket under the hash of its SVG. */
export function createPreviewImages(bucket: R2Bucket, fonts: FontSource) {
  function renderAndStore(svg: string, key: string): Promise<Uint8Array<ArrayBuffer>> {
    return heavyWork.run(RENDER_CPU_MS, async () => {
      // Another request may have stored the image while this request waited.
      const stored = await bucket.get(key);
      if (stored) return new Uint8Array(await stored.arrayBuffer());
      const { renderSvg } = await import('../../../platform/kit/images/svg-renderer.ts');
      const png = await renderSvg(svg, await fonts());
      await bucket.put(key, png);
      return png;
    });
  }

  return {
    /** Throws 429 if the address exceeds its rate limit of new images, and 503 if too many renderings wait. */
    async reply(card: PreviewCard, { request, chargeLater }: PreviewRequest): Promise<RawReply> {
      const svg = previewSvg(card);
      const hash = await sha256Of(new TextEncoder().encode(`${PREVIEW_VERSION} ${svg}`));
      const base = { kind: 'raw', contentType: 'image/png', etag: `"${hash}"`, maxAge: SECONDS_PER_DAY } as const;
      if (isNotModified(request, base)) return { ...base, body: null };
      const key = `${PREFIX}${hash}.png`;
      const stored = await bucket.get(key);
      if (stored) return { ...base, body: await stored.arrayBuffer() };
      const refusal = await chargeLater();
      if (refusal) throw refusal;
      try {
        return { ...base, body: await renderAndStore(svg, key) };
      } catch (error) {
        if (error instanceof ApiError) throw error;
        logError('preview image could not be rendered', error, {});
        throw renderingUnavailable();
      }
    },
  };
}

export type PreviewImages = ReturnType<typeof createPreviewImages>;

/** Deletes stored images that are older than 30 days. Call it once a day. */
export async function deleteExpiredPreviews(bucket: R2Bucket, now: UnixSeconds): Promise<void> {
  await deleteDerivedBefore(bucket, PREFIX, now - TTL_SECONDS, now);
}

function renderingUnavailable(): ApiError {
  return new ApiError('service_unavailable', 'the image cannot be rendered at the moment', { headers: { 'Retry-After': '10' } });
}
