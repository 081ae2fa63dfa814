import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Service } from '../../platform/area/area.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { buildDocument, type DocumentAbout } from '../../platform/openapi/document.ts';
import type { Node } from '../../platform/openapi/finish.ts';
import { toOpenApi30 } from '../../platform/openapi/openapi-30.ts';
import { documentOfTag, tagSlugs } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { type GuideLink, llmsText } from './llms-text.domain.ts';

export interface CachedDocument {
  text: string;
  etag: string;
}

/** Builds documents on first use and caches them by feature switches and rate limits, because building is slow. */
export type Documents = ReturnType<typeof createDocuments>;

const MAX_DOCUMENT_SETS = 4;

/** The documents for one combination of feature switches and rate limits. Caches text, because parsed objects take more memory. */
class DocumentSet {
  readonly openapi: CachedDocument;
  readonly tags: readonly string[];
  readonly #ofTags = new Map<string, CachedDocument>();
  readonly #createLlmsText: (guides: readonly GuideLink[]) => string;
  #openapi30: CachedDocument | null = null;
  #llms: CachedDocument | null = null;

  constructor(document: Node, createLlmsText: (document: Node, guides: readonly GuideLink[]) => string) {
    this.openapi = toCached(JSON.stringify(document));
    this.#createLlmsText = (guides) => createLlmsText(JSON.parse(this.openapi.text), guides);
    this.tags = tagSlugs(document);
  }

  get openapi30(): CachedDocument {
    this.#openapi30 ??= toCached(JSON.stringify(toOpenApi30(JSON.parse(this.openapi.text))));
    return this.#openapi30;
  }

  /** Cached after the first call, because the guides change only with a deployment. */
  llms(guides: readonly GuideLink[]): CachedDocument {
    this.#llms ??= toCached(this.#createLlmsText(guides));
    return this.#llms;
  }

  ofTag(tag: string): CachedDocument | null {
    const cached = this.#ofTags.get(tag);
    if (cached || !this.tags.includes(tag)) return cached ?? null;
    const created = toCached(JSON.stringify(documentOfTag(JSON.parse(this.openapi.text), tag)));
    this.#ofTags.set(tag, created);
    return created;
  }
}

export function createDocuments(
  service: Pick<Service, 'endpoints' | 'tags' | 'webhooks'>,
  info: DocumentAbout['info'],
  scopes: ScopeRegistry,
) {
  const documentSets = new BoundedMap<string, DocumentSet>(MAX_DOCUMENT_SETS);
  let last: { settings: Settings; baseUrl: string; documents: DocumentSet } | null = null;

  async function documentsFor(settings: Settings, baseUrl: string): Promise<DocumentSet> {
    if (last?.settings === settings && last.baseUrl === baseUrl) return last.documents;
    const key = JSON.stringify([baseUrl, settingsInDocument(settings)]);
    let documents = documentSets.get(key);
    if (!documents) {
      const [endpoints, webhooks] = await Promise.all([service.endpoints(), service.webhooks()]);
      const document = buildDocument(endpoints, settings, baseUrl, { info, tags: service.tags, webhooks });
      documents = new DocumentSet(document, (parsed, guides) => llmsText(parsed, { baseUrl, scopes, guides }));
      documentSets.set(key, documents);
    }
    last = { settings, baseUrl, documents };
    return documents;
  }

  return {
    openapi: async (settings: Settings, baseUrl: string): Promise<CachedDocument> => (await documentsFor(settings, baseUrl)).openapi,
    openapi30: async (settings: Settings, baseUrl: string): Promise<CachedDocument> => (await documentsFor(settings, baseUrl)).openapi30,
    /** The operations of one tag; null for an unknown tag. */
    openapiOfTag: async (settings: Settings, baseUrl: string, tag: string): Promise<CachedDocument | null> =>
      (await documentsFor(settings, baseUrl)).ofTag(tag),
    /** Slugs of the tags. */
    tags: async (settings: Settings, baseUrl: string): Promise<string[]> => [...(await documentsFor(settings, baseUrl)).tags],
    llms: async (settings: Settings, baseUrl: string, guides: readonly GuideLink[]): Promise<CachedDocument> =>
      (await documentsFor(settings, baseUrl)).llms(guides),
  };
}

function toCached(text: string): CachedDocument {
  return { text, etag: `"${digestOf(text)}"` };
}

/** Settings that affect the documents: feature switches, rate limits and cooldowns. */
function settingsInDocument(settings: Settings): unknown[] {
  return Object.entries(settings).filter(([name]) => /^feature|RateLimit|^ingestCooldown/.test(name));
}
