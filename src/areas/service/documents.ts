import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf } from '../../platform/http/replies/reply.ts';
import { buildDocument } from '../../platform/openapi/document.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { documentInfo } from './document.data.ts';
import { llmsText } from './llms-text.ts';

/** A generated document with its ETag. */
export interface KeptDocument {
  text: string;
  etag: string;
}

/** The generated documents. Built on first demand and kept for each set of switches and limits, as building is slow. */
export interface Documents {
  openapi(settings: Settings, baseUrl: string): KeptDocument;
  llms(settings: Settings, baseUrl: string): KeptDocument;
}

const KEPT = 4;

export function createDocuments(
  endpoints: () => readonly Endpoint[],
  tags: Readonly<Record<string, string>>,
  scopes: ScopeRegistry,
): Documents {
  const kept = new BoundedMap<string, { openapi: KeptDocument; llms: KeptDocument }>(KEPT);
  let last: { settings: Settings; baseUrl: string; documents: { openapi: KeptDocument; llms: KeptDocument } } | null = null;

  function documentsFor(settings: Settings, baseUrl: string) {
    if (last?.settings === settings && last.baseUrl === baseUrl) return last.documents;
    const key = JSON.stringify([baseUrl, shapingSettings(settings)]);
    let documents = kept.get(key);
    if (!documents) {
      const document = buildDocument(endpoints(), settings, baseUrl, tags, documentInfo);
      documents = { openapi: keep(JSON.stringify(document)), llms: keep(llmsText(document, baseUrl, scopes)) };
      kept.set(key, documents);
    }
    last = { settings, baseUrl, documents };
    return documents;
  }

  return {
    openapi: (settings, baseUrl) => documentsFor(settings, baseUrl).openapi,
    llms: (settings, baseUrl) => documentsFor(settings, baseUrl).llms,
  };
}

function keep(text: string): KeptDocument {
  return { text, etag: `"${digestOf(text)}"` };
}

/** The settings that show in the documents: switches and limits. */
function shapingSettings(settings: Settings): unknown[] {
  return Object.entries(settings).filter(([name]) => /^feature|RateLimit|^ingestCooldown/.test(name));
}
