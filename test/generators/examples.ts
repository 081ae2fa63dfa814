import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUT } from './places.ts';

interface Parameter {
  $ref?: string;
  example?: unknown;
  name: string;
  in: string;
  required?: boolean;
}
export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
  'x-access': string;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Parameter>>;
}

export const readDocument = () => JSON.parse(readFileSync(join(OUT, 'openapi.json'), 'utf8')) as Document;

/** Operations that need one of several optional parameters, which a document cannot state. */
export const ONE_OF: Readonly<Record<string, string>> = { listLeaderboards: 'created_at', listLeaderboardEntries: 'created_at' };

/** Reason to skip the example of an operation; null: not skipped. */
export function skipReason({ operationId, requestBody, responses, 'x-access': access }: Operation): string | null {
  if (operationId === 'streamEvents') return 'endless stream';
  if (access === 'project') return 'needs the key of its project';
  if (responses['502'] !== undefined) return 'requests an external service';
  const types = Object.keys(requestBody?.content ?? {});
  return types.some((type) => type === 'multipart/form-data' || type === 'application/octet-stream') ? 'file upload' : null;
}

/** Path and query of the minimal request, built from examples. */
export function exampleUrl(document: Document, path: string, { operationId, parameters = [] }: Operation): string {
  const resolved = parameters.map((parameter) => (parameter.$ref ? lookUp(document, parameter.$ref) : parameter));
  const selected = resolved.filter(({ name, required }) => required || ONE_OF[operationId] === name);
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, example } of selected) {
    const text = String(example);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    if (place === 'query') query.set(name, text);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

function lookUp({ components }: Document, reference: string): Parameter {
  const [, , kind = '', name = ''] = reference.split('/');
  const component = components[kind]?.[name];
  if (!component) throw new Error(`unresolvable reference: ${reference}`);
  return component;
}
