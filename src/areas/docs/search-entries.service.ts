import type { Service } from '../../platform/area/area.ts';
import { pageOfDocuments, type SearchDocument, type SearchSource } from '../../platform/area/search-source.ts';
import { TOOLS, type ToolLink } from '../../platform/http/pages/menu.data.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/kit/errors/api-error.ts';
import { documentedEndpoints, webhookOperationId } from '../../platform/openapi/document.ts';
import type { OutgoingRequest } from '../../platform/openapi/outgoing.ts';
import { slugOf } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { GuideEntry, Guides } from './guides.store.ts';

/** A section of a guide, a tool, an error code, or an operation. */
interface SearchEntry {
  url: string;
  title: string;
  /** Title of the page. */
  page: string;
  text: string;
}

/** Searched part of a section, in characters. */
const MAX_TEXT_LENGTH = 2000;

/** The sections of guides, tools, error codes, operations and webhooks of this deployment, without those of features that are off. */
export function createDocsSearchSource(guides: Guides, service: Pick<Service, 'endpoints' | 'webhooks'>): SearchSource {
  // Settings are one object until they change.
  let known: { settings: Settings; documents: SearchDocument[]; version: string } | null = null;
  async function read(settings: Settings) {
    if (known?.settings === settings) return known;
    const webhooks = Object.entries(await service.webhooks()).filter(([, { feature }]) => feature === undefined || settings[feature]);
    const entries = searchEntries(
      await guides.all(),
      documentedEndpoints(await service.endpoints(), settings),
      Object.fromEntries(webhooks),
    );
    const documents = entries.map(({ url, title, page, text }): SearchDocument => {
      return { key: url, name: title, about: page, text: text.slice(0, MAX_TEXT_LENGTH) || title, link: url, image: null };
    });
    known = { settings, documents, version: digestOf(JSON.stringify(documents)) };
    return known;
  }
  return {
    type: 'doc',
    scope: null,
    isPublic: true,
    contents: {
      version: async (settings) => (await read(settings)).version,
      list: async (after, limit, settings) => pageOfDocuments((await read(settings)).documents, after, limit),
    },
  };
}

/** Search entries of guide sections, tools, error codes, and the given operations and webhooks. */
export function searchEntries(
  guides: readonly GuideEntry[],
  endpoints: readonly Endpoint[],
  webhooks: Readonly<Record<string, OutgoingRequest>>,
): SearchEntry[] {
  return [
    ...guides.flatMap(guideEntries),
    ...TOOLS.map(toolEntry),
    ...ERROR_CODES.map(errorEntry),
    ...endpoints.map(operationEntry),
    ...Object.entries(webhooks).map(webhookEntry),
  ];
}

function guideEntries({ name, title, description, sections }: GuideEntry): SearchEntry[] {
  const url = `/docs/${name}`;
  const start = sections.find(({ id }) => id === '')?.text ?? '';
  return [
    { url, title, page: title, text: `${description} ${start}`.trim() },
    ...sections.flatMap(({ id, title: heading, text }) => (id === '' ? [] : [{ url: `${url}#${id}`, title: heading, page: title, text }])),
  ];
}

function toolEntry({ name, title, text }: ToolLink): SearchEntry {
  return { url: `/tools/${name}`, title, page: 'Tools', text };
}

function errorEntry(code: (typeof ERROR_CODES)[number]): SearchEntry {
  const { status, summary, hint, guide } = ERROR_CATALOGUE[code];
  return { url: `/docs/errors#${code}`, title: `${status} ${code}`, page: 'Errors', text: plain(`${summary} ${guide} ${hint}`) };
}

function operationEntry({ spec }: Endpoint): SearchEntry {
  const { method, path, operationId, summary, description, tag } = spec;
  return {
    url: `/docs/reference/${slugOf(tag)}#${operationId}`,
    title: summary,
    page: tag,
    text: plain(`${method.toUpperCase()} ${path} ${description}`),
  };
}

function webhookEntry([name, { summary, description, tag }]: [string, OutgoingRequest]): SearchEntry {
  return {
    url: `/docs/reference/${slugOf(tag)}#${webhookOperationId(name)}`,
    title: summary,
    page: tag,
    text: plain(`Webhook ${name}. ${description}`),
  };
}

/** Removes Markdown marks of code and emphasis. */
function plain(text: string): string {
  return text.replaceAll(/`|\*\*/g, '');
}
