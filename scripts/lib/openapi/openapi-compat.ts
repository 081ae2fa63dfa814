import { ACCESS_KINDS } from '../../../src/platform/access/policy/policy.ts';
import { compareSchemas, type SchemaRule } from './openapi-compat-schemas.ts';
import {
  isSuccessStatus,
  type LocatedOperation,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  operationsIn,
  type ParameterObject,
  resolved,
  type SecurityRequirement,
} from './openapi-model.ts';

export type BreakingRule =
  | SchemaRule
  | 'path-removed'
  | 'operation-removed'
  | 'parameter-removed'
  | 'parameter-required'
  | 'request-body-removed'
  | 'request-body-required'
  | 'request-content-type-removed'
  | 'response-status-removed'
  | 'response-content-type-removed'
  | 'response-header-removed'
  | 'auth-required';

/** A change that breaks clients of the released document. */
export interface BreakingChange {
  path: string;
  /** Method in upper case; empty for a whole path. */
  operation: string;
  rule: BreakingRule;
  detail: string;
}

type OperationChange = Pick<BreakingChange, 'rule' | 'detail'>;

/** Both documents, to resolve references in each. */
export interface Documents {
  released: OpenApiDocument;
  current: OpenApiDocument;
}

/**
 * Finds all breaking changes: removed paths, operations, fields and enum values, newly required or narrowed input, changed response
 * types, and more restrictive access. Additions are not breaking.
 */
export function findBreakingChanges(released: OpenApiDocument, current: OpenApiDocument): BreakingChange[] {
  const documents = { released, current };
  const operations = new Map(operationsIn(current).map((located) => [`${located.method} ${shapeOf(located.path)}`, located]));
  const paths = new Set([...operations.values()].map(({ path }) => shapeOf(path)));
  const missing = new Set<string>();
  return operationsIn(released).flatMap((before): BreakingChange[] => {
    const { path } = before;
    if (!paths.has(shapeOf(path))) {
      if (missing.has(path)) return [];
      missing.add(path);
      return [{ path, operation: '', rule: 'path-removed', detail: 'the path was removed' }];
    }
    const operation = before.method.toUpperCase();
    const after = operations.get(`${before.method} ${shapeOf(path)}`);
    if (!after) return [{ path, operation, rule: 'operation-removed', detail: 'the operation was removed' }];
    return operationChanges(documents, before, after).map((change) => ({ path, operation, ...change }));
  });
}

/** A path without parameter names, which clients do not send. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

function operationChanges(documents: Documents, before: LocatedOperation, after: LocatedOperation): OperationChange[] {
  return [
    ...authChanges(documents, before.operation, after.operation),
    ...parameterChanges(documents, before, after),
    ...requestBodyChanges(documents, before, after),
    ...responseChanges(documents, before, after),
  ];
}

/** Path parameters by position, other parameters by location and name. Header names are case-insensitive. */
function keyedParameters({ path, parameters }: LocatedOperation): Map<string, ParameterObject> {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  return new Map(
    parameters.map((parameter) => {
      if (parameter.in === 'path') return [`path parameter ${inPath.indexOf(parameter.name) + 1}`, parameter];
      return [`${parameter.in} parameter ${parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name}`, parameter];
    }),
  );
}

function parameterChanges(documents: Documents, before: LocatedOperation, after: LocatedOperation): OperationChange[] {
  const old = keyedParameters(before);
  const now = keyedParameters(after);
  const existing = [...old].flatMap(([key, parameter]): OperationChange[] => {
    const same = now.get(key);
    if (!same) return [{ rule: 'parameter-removed', detail: `${key} was removed` }];
    const required =
      same.required && !parameter.required ? [{ rule: 'parameter-required' as const, detail: `${key} must now be sent` }] : [];
    return [...required, ...schemaChanges(documents, 'request', parameter, same, key)];
  });
  const added = [...now].filter(([key, parameter]) => parameter.required && !old.has(key));
  return [...existing, ...added.map(([key]) => ({ rule: 'parameter-required' as const, detail: `${key} is new and must be sent` }))];
}

type Schematic = Pick<MediaTypeObject, 'schema'>;

function schemaChanges(
  documents: Documents,
  direction: 'request' | 'response',
  before: Schematic,
  after: Schematic,
  at: string,
): OperationChange[] {
  const changes = compareSchemas(documents, direction, before.schema ?? {}, after.schema ?? {}, at);
  return changes.map(({ rule, at: place, detail }) => ({ rule, detail: `${place}: ${detail}` }));
}

function requestBodyChanges({ released, current }: Documents, before: LocatedOperation, after: LocatedOperation): OperationChange[] {
  const old = before.operation.requestBody && resolved(released, before.operation.requestBody);
  const now = after.operation.requestBody && resolved(current, after.operation.requestBody);
  if (!old) return now?.required ? [{ rule: 'request-body-required', detail: 'a body must now be sent' }] : [];
  if (!now) return [{ rule: 'request-body-removed', detail: 'no longer accepts a body' }];
  const required: OperationChange[] =
    now.required && !old.required ? [{ rule: 'request-body-required', detail: 'a body must now be sent' }] : [];
  const contents = Object.entries(old.content ?? {}).flatMap(([type, media]): OperationChange[] => {
    const same = now.content?.[type];
    if (!same) return [{ rule: 'request-content-type-removed', detail: `no longer accepts ${type}` }];
    return schemaChanges({ released, current }, 'request', media, same, `${type} body`);
  });
  return [...required, ...contents];
}

/** Compares success responses only: clients distinguish errors by code, and operations may return new errors. */
function responseChanges({ released, current }: Documents, before: LocatedOperation, after: LocatedOperation): OperationChange[] {
  return Object.entries(before.operation.responses ?? {}).flatMap(([status, response]): OperationChange[] => {
    if (!isSuccessStatus(status)) return [];
    const declared = after.operation.responses?.[status];
    if (!declared) return [{ rule: 'response-status-removed', detail: `${status} was removed` }];
    const old = resolved(released, response);
    const now = resolved(current, declared);
    const names = Object.keys(now.headers ?? {}).map((name) => name.toLowerCase());
    const lost = Object.keys(old.headers ?? {}).filter((name) => !names.includes(name.toLowerCase()));
    const contents = Object.entries(old.content ?? {}).flatMap(([type, media]): OperationChange[] => {
      const same = now.content?.[type];
      if (!same) return [{ rule: 'response-content-type-removed', detail: `${status} is no longer sent as ${type}` }];
      return schemaChanges({ released, current }, 'response', media, same, `${status} ${type}`);
    });
    return [
      ...lost.map((name): OperationChange => ({ rule: 'response-header-removed', detail: `${status} no longer has the header ${name}` })),
      ...contents,
    ];
  });
}

const TOKEN_RANK = ACCESS_KINDS.indexOf('any-token');
/** Kinds with a credential other than a token: no other kind that requires a credential admits all of their clients. */
const WITHOUT_TOKEN = ['project', 'session'];
/** Kinds that admit the same clients as another. */
const EQUIVALENT_ACCESS: Readonly<Record<string, string>> = { tokenless: 'public', feedback: 'public' };

/** Changes that refuse clients of the released operation. */
function authChanges(documents: Documents, before: OperationObject, after: OperationObject): OperationChange[] {
  const old = requirementsOf(documents.released, before);
  const now = requirementsOf(documents.current, after);
  const refused = old.filter((requirement) => !now.some((candidate) => isSatisfiedBy(candidate, requirement)));
  const changes = refused.map((requirement) => `a client with ${nameOf(requirement)} is no longer admitted`);
  const [wasRank, isRank] = [rankOf(before), rankOf(after)];
  const losesCredential =
    before['x-access'] !== after['x-access'] && WITHOUT_TOKEN.includes(before['x-access'] ?? '') && isRank >= TOKEN_RANK;
  if (isRank > wasRank || losesCredential) changes.push(`access was ${before['x-access']}, is now ${after['x-access']}`);
  if (before['x-access'] === 'token' && after['x-access'] === 'token' && before['x-scope'] !== after['x-scope']) {
    changes.push(`needed the scope ${before['x-scope']}, now needs ${after['x-scope']}`);
  }
  return changes.map((detail) => ({ rule: 'auth-required', detail }));
}

/** Alternative requirements, of which a client must satisfy one; an empty list means no requirement. */
function requirementsOf(document: OpenApiDocument, operation: OperationObject): readonly SecurityRequirement[] {
  const stated = operation.security ?? document.security ?? [];
  return stated.length === 0 ? [{}] : stated;
}

/** Whether a client with the credentials `presented` satisfies the requirement. */
function isSatisfiedBy(requirement: SecurityRequirement, presented: SecurityRequirement): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) => scopes.every((scope) => presented[scheme]?.includes(scope)) && scheme in presented,
  );
}

function nameOf(requirement: SecurityRequirement): string {
  const schemes = Object.keys(requirement);
  return schemes.length === 0 ? 'no credential' : schemes.join(' and ');
}

/** Rank of the access kind. A missing kind ranks lowest, and so does one that the service no longer has. */
function rankOf({ 'x-access': access = '' }: OperationObject): number {
  const kinds: readonly string[] = ACCESS_KINDS;
  return kinds.indexOf(EQUIVALENT_ACCESS[access] ?? access);
}
