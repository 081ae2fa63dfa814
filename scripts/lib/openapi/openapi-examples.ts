import { sampleRequest } from '../../../test/support/samples.ts';
import type { DemoServer } from '../demo-client.ts';
import { type LocatedOperation, type OpenApiDocument, operationsIn, resolved } from './openapi-model.ts';

const TIMEOUT_MS = 60_000;
const WITH_SUPERUSER = ['master', 'admin'];
/** Bodies that no text in a document can be an example of. */
const BINARY = ['multipart/form-data', 'application/octet-stream'];
/** Reads first, deletions last: an example must not depend on what another one removed. */
const ORDER = ['get', 'put', 'post', 'patch', 'delete'];

/** One request made of the examples of the document. */
interface ExampleRequest {
  title: string;
  located: LocatedOperation;
  /** Optional parameters that are sent. */
  extra: readonly string[];
}

/** Sends every example of the document of a running service. Those that got another status than a success. */
export async function failingExamples(server: DemoServer): Promise<{ sent: number; failed: string[] }> {
  const document = (await (await fetch(`${server.base_url}/openapi.json`)).json()) as OpenApiDocument;
  const requests = operationsIn(document)
    .filter((located) => !hasBinaryBody(document, located))
    .sort((one, other) => placeOf(one) - placeOf(other))
    .flatMap(requestsOf);
  const failed: string[] = [];
  for (const request of requests) {
    const failure = await failureOf(document, server, request);
    if (failure !== null) failed.push(`${request.title}: ${failure}`);
  }
  return { sent: requests.length, failed };
}

function hasBinaryBody(document: OpenApiDocument, { operation }: LocatedOperation): boolean {
  const content = operation.requestBody && resolved(document, operation.requestBody).content;
  return Object.keys(content ?? {}).some((type) => BINARY.includes(type));
}

function placeOf({ method, path }: LocatedOperation): number {
  return ORDER.indexOf(method) + (/\/(?:delete|reset)/.test(path) ? ORDER.length : 0);
}

/** The smallest request of an operation, and one more for each optional parameter. Only reads are sent more than once. */
function requestsOf(located: LocatedOperation): ExampleRequest[] {
  const title = `${located.method.toUpperCase()} ${located.path}`;
  const smallest = { title, located, extra: [] };
  if (located.method !== 'get') return [smallest];
  const optional = located.parameters.filter((parameter) => parameter.in === 'query' && !parameter.required);
  return [smallest, ...optional.map(({ name }) => ({ title: `${title} with ${name}`, located, extra: [name] }))];
}

/** What went wrong; null when the response is a success. */
async function failureOf(document: OpenApiDocument, server: DemoServer, { located, extra }: ExampleRequest): Promise<string | null> {
  const { path, options } = sampleRequest(document, located, {}, extra);
  const access = located.operation['x-access'] ?? '';
  const token = WITH_SUPERUSER.includes(access) ? server.superuser_token : server.token;
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
