import type { OpenApiDocument, OperationObject, SecurityRequirement } from './openapi-model.ts';

/** Kinds of access, from the least to the most restrictive. */
const ACCESS_ORDER = ['open', 'public', 'tokenless', 'optional-token', 'any-token', 'token', 'master', 'admin'];
const EQUIVALENT_ACCESS: Readonly<Record<string, string>> = { tokenless: 'public', feedback: 'public' };

interface AuthChange {
  rule: 'auth-required';
  detail: string;
}

/** Changes that refuse clients of the released operation. */
export function authChanges(
  documents: { released: OpenApiDocument; current: OpenApiDocument },
  before: OperationObject,
  after: OperationObject,
): AuthChange[] {
  const old = requirementsOf(documents.released, before);
  const now = requirementsOf(documents.current, after);
  const refused = old.filter((requirement) => !now.some((candidate) => isSatisfiedBy(candidate, requirement)));
  const changes = refused.map((requirement) => `a client with ${nameOf(requirement)} is no longer admitted`);
  const [wasRank, isRank] = [rankOf(before), rankOf(after)];
  if (isRank > wasRank) changes.push(`access was ${before['x-access']}, is now ${after['x-access']}`);
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

/** Rank of the access kind. Unknown and missing kinds rank lowest, so adding the first kind is not a change. */
function rankOf({ 'x-access': access = '' }: OperationObject): number {
  return ACCESS_ORDER.indexOf(EQUIVALENT_ACCESS[access] ?? access);
}
