import type { OpenApiDocument, OperationObject, SecurityRequirement } from './openapi-model.ts';

/** Kinds of access from the easiest to the hardest to get. */
const ACCESS_ORDER = ['open', 'public', 'tokenless', 'any-token', 'token', 'master', 'admin'];
const EQUALLY_EASY: Readonly<Record<string, string>> = { tokenless: 'public', feedback: 'public' };

interface AuthChange {
  rule: 'auth-required';
  detail: string;
}

/** Callers of the released operation whom the current one turns away. */
export function authChanges(
  documents: { released: OpenApiDocument; current: OpenApiDocument },
  before: OperationObject,
  after: OperationObject,
): AuthChange[] {
  const old = requirementsOf(documents.released, before);
  const now = requirementsOf(documents.current, after);
  const turnedAway = old.filter((requirement) => !now.some((candidate) => isSatisfiedBy(candidate, requirement)));
  const changes = turnedAway.map((requirement) => `a client with ${nameOf(requirement)} is no longer admitted`);
  const [wasRank, isRank] = [rankOf(before), rankOf(after)];
  if (isRank > wasRank) changes.push(`access was ${before['x-access']}, is now ${after['x-access']}`);
  if (before['x-access'] === 'token' && after['x-access'] === 'token' && before['x-scope'] !== after['x-scope']) {
    changes.push(`needed the scope ${before['x-scope']}, now needs ${after['x-scope']}`);
  }
  return changes.map((detail) => ({ rule: 'auth-required', detail }));
}

/** Alternatives of which a client must satisfy one; none stated means that nothing is required. */
function requirementsOf(document: OpenApiDocument, operation: OperationObject): readonly SecurityRequirement[] {
  const stated = operation.security ?? document.security ?? [];
  return stated.length === 0 ? [{}] : stated;
}

/** Whether a client who brings what `brought` names satisfies the requirement. */
function isSatisfiedBy(requirement: SecurityRequirement, brought: SecurityRequirement): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) => scopes.every((scope) => brought[scheme]?.includes(scope)) && scheme in brought,
  );
}

function nameOf(requirement: SecurityRequirement): string {
  const schemes = Object.keys(requirement);
  return schemes.length === 0 ? 'no credential' : schemes.join(' and ');
}

/** Unknown and missing kinds rank lowest, so that stating one for the first time is no change. */
function rankOf({ 'x-access': access = '' }: OperationObject): number {
  return ACCESS_ORDER.indexOf(EQUALLY_EASY[access] ?? access);
}
