import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ONE_OF, type Operation, readDocument, skipReason } from './examples.ts';
import { OUT, SERVICE } from './places.ts';

const require = createRequire(import.meta.url);

interface Item {
  name: string;
  item?: Item[];
  request?: { url: { query?: { key: string; disabled?: boolean }[]; path: string[] }; method: string; auth?: unknown };
}
interface Collection {
  item: Item[];
}
interface Converter {
  convertV2(
    input: { type: 'json'; data: unknown },
    options: object,
    done: (error: Error | null, result: { result: boolean; reason?: string; output?: { data: Collection }[] }) => void,
  ): void;
}
interface Execution {
  item: { name: string };
  request: { method: string; url: { toString(): string } };
  response?: { code: number; text(): string };
}
interface Newman {
  run(options: object, done: (error: Error | null, summary: { run: { executions: Execution[] } }) => void): void;
}

/** Converts the document to a Postman collection and runs it. Throws if a request fails with 4xx or 5xx. */
export async function checkPostman(): Promise<string> {
  const document = readDocument();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const skipped = operations.filter(({ operation }) => skipReason(operation) !== null);
  const paths = structuredClone(document.paths);
  for (const { path, method } of skipped) delete paths[path]?.[method];
  const collection = await convert({ ...document, paths });
  const unauthorised = unauthorisedPublic(collection, document);
  if (unauthorised.length > 0) throw new Error(`public requests without the token: ${unauthorised.join(', ')}`);
  leaveOptionalOut(collection.item, operations);
  writeFileSync(join(OUT, 'collection.json'), JSON.stringify(collection));
  const executions = await run(collection);
  const failures = executions.filter(({ response }) => !response || response.code >= 400);
  if (failures.length > 0) {
    const lines = failures.map(
      ({ request, response }) =>
        `${response?.code ?? 'no response'} ${request.method} ${request.url} ${response?.text().slice(0, 160) ?? ''}`,
    );
    throw new Error(`${failures.length} of ${executions.length} requests\n${lines.join('\n')}`);
  }
  return `${executions.length} requests, no 4xx, no 5xx; ${skipped.length} not sent (files, external services, keys of projects, the stream)`;
}

function convert(data: unknown): Promise<Collection> {
  const { convertV2 } = require('openapi-to-postmanv2') as Converter;
  const options = {
    parametersResolution: 'Example',
    requestParametersResolution: 'Example',
    folderStrategy: 'Tags',
    includeAuthInfoInExample: true,
  };
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data }, options, (error, { result, reason, output }) => {
      const [first] = output ?? [];
      if (error || !result || !first) reject(error ?? new Error(reason ?? 'no collection'));
      else resolve(first.data);
    });
  });
}

/** Public operations that Postman would send without the collection's token. */
function unauthorisedPublic({ item }: Collection, document: ReturnType<typeof readDocument>): string[] {
  const open = new Set(
    Object.values(document.paths).flatMap((operations) =>
      Object.values(operations)
        .filter((one) => one['x-access'] === 'open')
        .map(summaryOf),
    ),
  );
  return requestsIn(item).flatMap(({ name, request }) => {
    const auth = request?.auth as { type?: string } | null | undefined;
    return auth?.type === 'noauth' && !open.has(name) ? [name] : [];
  });
}

const summaryOf = (operation: unknown) => (operation as { summary: string }).summary;

function requestsIn(items: readonly Item[]): Item[] {
  return items.flatMap((item) => (item.item ? requestsIn(item.item) : [item]));
}

interface Located {
  path: string;
  method: string;
  operation: Operation;
}

/** Disables optional parameters, which the collection enables even if they exclude each other. */
function leaveOptionalOut(items: readonly Item[], operations: readonly Located[]): void {
  for (const { name, request } of requestsIn(items)) {
    const path = `/${request?.url.path.join('/').replaceAll(/:(\w+)|\{\{(\w+)\}\}/g, (_match, one, other) => `{${one ?? other}}`)}`;
    const located = operations.find((one) => one.path === path && one.method.toUpperCase() === request?.method);
    if (!located) throw new Error(`${name} is not an operation of the document: ${path}`);
    const required = (located.operation.parameters ?? []).filter((parameter) => parameter.required).map((parameter) => parameter.name);
    const needed = new Set([...required, ONE_OF[located.operation.operationId]]);
    for (const parameter of request?.url.query ?? []) parameter.disabled = !needed.has(parameter.key);
  }
}

function run(collection: Collection): Promise<Execution[]> {
  const newman = require('newman') as Newman;
  const values = [
    { key: 'baseUrl', value: SERVICE.baseUrl },
    { key: 'bearerToken', value: SERVICE.superuserToken },
    // A parameter within a path segment becomes a variable.
    { key: 'tag', value: 'rotations' },
  ];
  return new Promise((resolve, reject) => {
    newman.run({ collection, envVar: values, reporters: [], timeoutRequest: 60_000 }, (error, summary) => {
      if (error) reject(error);
      else resolve(summary.run.executions);
    });
  });
}
