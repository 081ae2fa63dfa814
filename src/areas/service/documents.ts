import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { buildDocument, type DocumentAbout } from '../../platform/openapi/document.ts';
import type { Node } from '../../platform/openapi/finish.ts';
import { asOpenApi30 } from '../../platform/openapi/openapi-30.ts';
import { documentOfTag, tagSlugs } from '../../platform/openapi/tag-document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { type GuideLink, llmsText } from './llms-text.ts';

/** A generated document with its ETag. */
export interface CachedDocument {
  text: string;
  etag: string;
}

/** The generated documents. Each is built on first demand and kept for each set of switches and limits, as building is slow. */
export interface Documents {
  openapi(settings: Settings, baseUrl: string): CachedDocument;
  openapi30(settings: Settings, baseUrl: string): CachedDocument;
  /** The part about one group of operations; null when there is none under that name. */
  openapiOfTag(settings: Settings, baseUrl: string, tag: string): CachedDocument | null;
  /** Names of the groups. */
  tags(settings: Settings, baseUrl: string): string[];
  llms(settings: Settings, baseUrl: string, guides: readonly GuideLink[]): CachedDocument;
}

const KEPT = 4;

/** The documents of one set of switches and limits. Only texts are kept: the objects are several times as large. */
class DocumentSet {
  readonly openapi: CachedDocument;
  readonly tags: readonly string[];
  readonly #ofTags = new Map<string, CachedDocument>();
  readonly #llms: (guides: readonly GuideLink[]) => string;
  #openapi30: CachedDocument | null = null;
  #llmsKept: CachedDocument | null = null;

  constructor(document: Node, llms: (document: Node, guides: readonly GuideLink[]) => string) {
    this.openapi = keep(JSON.stringify(document));
    this.#llms = (guides) => llms(JSON.parse(this.openapi.text), guides);
    this.tags = tagSlugs(document);
  }

  get openapi30(): CachedDocument {
    this.#openapi30 ??= keep(JSON.stringify(asOpenApi30(JSON.parse(this.openapi.text))));
    return this.#openapi30;
  }

  /** The guides are part of the deployment: they are the same each time. */
  llms(guides: readonly GuideLink[]): CachedDocument {
    this.#llmsKept ??= keep(this.#llms(guides));
    return this.#llmsKept;
  }

  ofTag(tag: string): CachedDocument | null {
    const known = this.#ofTags.get(tag);
    if (known || !this.tags.includes(tag)) return known ?? null;
    const made = keep(JSON.stringify(documentOfTag(JSON.parse(this.openapi.text), tag)));
    this.#ofTags.set(tag, made);
    return made;
  }
}

export function createDocuments(endpoints: () => readonly Endpoint[], about: DocumentAbout, scopes: ScopeRegistry): Documents {
  const kept = new BoundedMap<string, DocumentSet>(KEPT);
  let last: { settings: Settings; baseUrl: string; documents: DocumentSet } | null = null;

  function documentsFor(settings: Settings, baseUrl: string): DocumentSet {
    if (last?.settings === settings && last.baseUrl === baseUrl) return last.documents;
    const key = JSON.stringify([baseUrl, shapingSettings(settings)]);
    let documents = kept.get(key);
    if (!documents) {
      const document = buildDocument(endpoints(), settings, baseUrl, about);
      documents = new DocumentSet(document, (parsed, guides) => llmsText(parsed, { baseUrl, scopes, guides }));
      kept.set(key, documents);
    }
    last = { settings, baseUrl, documents };
    return documents;
  }

  return {
    openapi: (settings, baseUrl) => documentsFor(settings, baseUrl).openapi,
    openapi30: (settings, baseUrl) => documentsFor(settings, baseUrl).openapi30,
    openapiOfTag: (settings, baseUrl, tag) => documentsFor(settings, baseUrl).ofTag(tag),
    tags: (settings, baseUrl) => [...documentsFor(settings, baseUrl).tags],
    llms: (settings, baseUrl, guides) => documentsFor(settings, baseUrl).llms(guides),
  };
}

function keep(text: string): CachedDocument {
  return { text, etag: `"${digestOf(text)}"` };
}

/** The settings that show in the documents: switches and limits. */
function shapingSettings(settings: Settings): unknown[] {
  return Object.entries(settings).filter(([name]) => /^feature|RateLimit|^ingestCooldown/.test(name));
}
