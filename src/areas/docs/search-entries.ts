import { ERROR_CATALOGUE, ERROR_CODES } from '../../platform/errors/catalogue.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { webhookOperationId } from '../../platform/openapi/document.ts';
import type { OutgoingRequest } from '../../platform/openapi/outgoing.ts';
import { slugOf } from '../../platform/openapi/tag-document.ts';
import type { GuideEntry } from './guides.ts';
import type { SearchEntry } from './search.domain.ts';

/** Search entries of guide sections, error codes, and the given operations and webhooks. */
export function searchEntries(
  guides: readonly GuideEntry[],
  endpoints: readonly Endpoint[],
  webhooks: Readonly<Record<string, OutgoingRequest>>,
): SearchEntry[] {
  return [
    ...guides.flatMap(guideEntries),
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
