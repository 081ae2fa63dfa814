import type { DemoServer } from '../../scripts/lib/demo-client.ts';
import { type LocatedOperation, type OpenApiDocument, operationsIn, resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { sampleRequest } from '../support/samples.ts';

const TIMEOUT_MS = 60_000;
const WITH_SUPERUSER = ['master', 'admin'];
/** Content types of bodies that cannot have a text example. */
const BINARY = ['multipart/form-data', 'application/octet-stream', 'image/png'];
/** Operations that need one of several optional parameters, which a document cannot state. */
export const ONE_OF: Readonly<Record<string, string>> = { listLeaderboards: 'created_at', listLeaderboardEntries: 'created_at' };

/** Lists whose cursors expire with a later insert, so the document cannot contain a valid cursor. */
const AGING_CURSORS = ['listMarketListings'];

/** Reads first, deletions last, because an example must not depend on data that another one deleted. */
const ORDER = ['get', 'put', 'post', 'patch', 'delete'];

/** A server, and a key of the project of the examples. */
export type ExampleServer = DemoServer & { project_key: string };

/** A request built from the examples of the document. */
interface ExampleRequest {
  title: string;
  located: LocatedOperation;
  /** Optional parameters to send. */
  extra: readonly string[];
}

/**
 * Sends the examples of a running service's document: either those that delete data, or all others. Returns the examples without a
 * success status.
 */
export async function failingExamples(
  server: ExampleServer,
  { removing }: { removing: boolean },
): Promise<{ sent: number; failed: string[] }> {
  const document = (await (await fetch(`${server.base_url}/openapi.json`)).json()) as OpenApiDocument;
  const requests = operationsIn(document)
    .filter((located) => removes(located) === removing && !hasBinaryBody(document, located) && !callsExternalService(located))
    .sort((one, other) => placeOf(one) - placeOf(other))
    .flatMap(requestsOf);
  const failed: string[] = [];
  for (const request of requests) {
    const failure = await failureOf(document, server, request);
    if (failure !== null) failed.push(`${request.title}: ${failure}`);
  }
  return { sent: requests.length, failed };
}

/** The smallest GET request of each operation without streams that is public or needs the token of an account or of a superuser. */
export function exampleReads(document: OpenApiDocument): { operationId: string; path: string; credential: Credential }[] {
  return operationsIn(document)
    .filter((located) => located.method === 'get' && !streams(located) && credentialOf(located) !== 'other')
    .map((located) => {
      const operationId = located.operation.operationId ?? '';
      const needed = ONE_OF[operationId];
      const { path } = sampleRequest(document, located, {}, needed === undefined ? [] : [needed]);
      return { operationId, path, credential: credentialOf(located) };
    });
}

/** `other`: a session or the key of a project. */
export type Credential = 'none' | 'token' | 'superuser' | 'other';

function credentialOf({ operation }: LocatedOperation): Credential {
  const access = operation['x-access'] ?? '';
  if (WITH_SUPERUSER.includes(access)) return 'superuser';
  if (['open', 'public', 'tokenless'].includes(access)) return 'none';
  return ['token', 'optional-token', 'any-token'].includes(access) ? 'token' : 'other';
}

function streams({ operation }: LocatedOperation): boolean {
  return Object.values(operation.responses ?? {}).some((response) => 'text/event-stream' in (response.content ?? {}));
}

function hasBinaryBody(document: OpenApiDocument, { operation }: LocatedOperation): boolean {
  const content = operation.requestBody && resolved(document, operation.requestBody).content;
  return Object.keys(content ?? {}).some((type) => BINARY.includes(type));
}

/** Whether the operation depends on an external service. */
function callsExternalService({ operation }: LocatedOperation): boolean {
  return operation.responses?.[502] !== undefined;
}

function removes({ method, path }: LocatedOperation): boolean {
  return method === 'delete' || /\/(?:delete|reset|withdraw)/.test(path);
}

function placeOf({ method }: LocatedOperation): number {
  return ORDER.indexOf(method);
}

/** The minimal request of an operation, and for reads one more per optional parameter. */
function requestsOf(located: LocatedOperation): ExampleRequest[] {
  const title = `${located.method.toUpperCase()} ${located.path}`;
  const needed = ONE_OF[located.operation.operationId ?? ''];
  const always = needed === undefined ? [] : [needed];
  const smallest = { title, located, extra: always };
  if (located.method !== 'get') return [smallest];
  const isAging = (name: string) => name === 'cursor' && AGING_CURSORS.includes(located.operation.operationId ?? '');
  const optional = located.parameters.filter(({ name, in: place, required }) => place === 'query' && !required && !isAging(name));
  return [
    smallest,
    ...optional.map(({ name }) => ({ title: `${title} with ${name}`, located, extra: name === 'at' ? [name] : [...always, name] })),
  ];
}

/** The failure; null for a success. */
async function failureOf(document: OpenApiDocument, server: ExampleServer, { located, extra }: ExampleRequest): Promise<string | null> {
  const { path, options } = sampleRequest(document, located, {}, extra);
  const access = located.operation['x-access'] ?? '';
  const token = WITH_SUPERUSER.includes(access) ? server.superuser_token : access === 'project' ? server.project_key : server.token;
  const { method = 'GET', headers = {}, body } = options;
  const response = await fetch(server.base_url + path, {
    method,
    headers: { ...headers, ...(access === 'open' ? {} : { Authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: body as string }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) {
    await response.body?.cancel();
    return null;
  }
  return `${response.status} ${path} ${(await response.text()).slice(0, 200)}`;
}
