import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type TransformOptions, transformSync } from 'esbuild';
import { productionVars } from '../config.ts';
import { inRoot } from '../paths.ts';
import type { OpenApiDocument } from './openapi-model.ts';

/** Modules of the sources that build the document. Imported by computed paths, because they use the Worker's types, not Node's. */
interface Composition {
  SETTINGS: { defaults: object };
  composeApp(env: unknown): { service: { endpoints(): Promise<readonly unknown[]>; webhooks(): Promise<object> } };
}
interface DocumentMaker {
  buildDocument(endpoints: readonly unknown[], settings: unknown, baseUrl: string, about: object): OpenApiDocument;
}

const JSX: TransformOptions = { loader: 'tsx', format: 'esm', jsx: 'automatic', jsxImportSource: 'hono/jsx' };

/** Base URL of the document; a deployment uses its own. */
const BASE_URL = 'https://api.example.com';

/** Modules and files that only the Workers runtime can load. The document does not need them, so they are stubbed. */
const RUNTIME_ONLY = /^cloudflare:|\.(?:wasm|bin|txt|html|sql)(?:\?module)?$/;
const RUNTIME_NAMES = ['DurableObject', 'WorkerEntrypoint', 'WorkflowEntrypoint', 'RpcTarget', 'RpcStub'];
const STUB = [
  ...RUNTIME_NAMES.map((name) => `export class ${name} {}`),
  'export const env = {}, exports = {};',
  'export function connect() {}',
  'export function waitUntil() {}',
  'export default undefined;',
].join('\n');

/**
 * Builds the OpenAPI document of all registered routes with every area enabled, from the sources in this process, without a runtime
 * or a network.
 */
export async function currentDocument(): Promise<OpenApiDocument> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      RUNTIME_ONLY.test(specifier)
        ? { url: `data:text/javascript,${encodeURIComponent(STUB)}`, format: 'module', shortCircuit: true }
        : next(specifier, context),
    // Node strips types, but does not support JSX.
    load: (url, context, next) =>
      url.endsWith('.tsx')
        ? { format: 'module', shortCircuit: true, source: transformSync(readFileSync(fileURLToPath(url), 'utf8'), JSX).code }
        : next(url, context),
  });
  try {
    const { composeApp, SETTINGS } = await importSource<Composition>('composition.ts');
    const { buildDocument } = await importSource<DocumentMaker>('platform', 'openapi', 'document.ts');
    const { documentInfo } = await importSource<{ documentInfo: object }>('areas', 'service', 'document.data.ts');
    const { service } = composeApp(productionVars());
    const document = buildDocument(await service.endpoints(), everythingOn(SETTINGS.defaults), BASE_URL, {
      ...service,
      webhooks: await service.webhooks(),
      info: documentInfo,
    });
    // Serialise as in a response: JSON omits undefined values.
    return JSON.parse(JSON.stringify(document));
  } finally {
    hooks.deregister();
  }
}

async function importSource<Module>(...path: string[]): Promise<Module> {
  return import(pathToFileURL(inRoot('src', ...path)).href);
}

function everythingOn(defaults: object): unknown {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, /^feature.*Enabled$/.test(name) ? true : value]));
}
