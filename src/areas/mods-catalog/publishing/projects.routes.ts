import { adminAccess, type SessionRateLimit, sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import type { LinksFor } from '../records/mod.domain.ts';
import type { Allowances } from './allowances.service.ts';
import type { Claim, ClaimsService } from './claims.service.ts';
import type { ProjectsService } from './projects.service.ts';
import {
  AllowanceParams,
  AllowancesBody,
  AllowancesInput,
  ClaimBody,
  ClaimInput,
  ClaimParams,
  ClaimsBody,
  CreateProjectInput,
  KeyInput,
  KeysBody,
  KeyWithSecret,
  ProjectBody,
  ProjectKeyParams,
  ProjectParams,
  ProjectsBody,
  RejectInput,
  toAllowancesBody,
  toClaimBody,
  toKeyBody,
  toProjectBody,
  VerifiedClaimBody,
} from './publishing.schemas.ts';

/** Reads of the linked catalog, whose list has several megabytes. */
const verificationRateLimit: SessionRateLimit = {
  name: 'mod-claim-checks',
  limitOf: () => ({ limit: 10, windowSeconds: SECONDS_PER_HOUR }),
};

const shared = { tag: 'Publishing', surface: 'portal', hidden: true, feature: 'featureModsHubEnabled' } as const;
const session = { ...shared, access: sessionAccess('verified') } as const;
const PATH = '/projects/{handle}/{slug}';

interface ProjectRouteDeps {
  projects: ProjectsService;
  claims: ClaimsService;
  allowances: Allowances;
  linksFor: LinksFor;
}

/** `/projects` and `/mod-claims`: what only a signed-in account may do, never a project key. */
export function createProjectEndpoints({ projects, claims, allowances, linksFor }: ProjectRouteDeps): Endpoint[] {
  return [
    ...ownProjectEndpoints(projects, linksFor),
    ...keyEndpoints(projects),
    ...claimEndpoints(claims),
    ...claimAdminEndpoints(claims),
    allowancesAdminEndpoint(allowances),
  ];
}

function ownProjectEndpoints(projects: ProjectsService, linksFor: LinksFor): Endpoint[] {
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: '/projects',
      operationId: 'listModProjects',
      summary: 'List own projects',
      description: 'Lists the handles of the account and the projects of which it is a member, at most 50.',
      ok: { description: 'The projects.', schema: ProjectsBody },
    }).handle(async ({ caller }) => {
      const { projects: items, handles } = await projects.list(sessionOf(caller).userId);
      return json({
        handles,
        items: items.map(({ handle, slug, title, visibility, role }) => ({ handle, slug, title, visibility, role })),
      });
    }),

    defineRoute({
      ...session,
      method: 'post',
      path: '/projects',
      operationId: 'createModProject',
      summary: 'Create a project',
      description:
        'Creates a private project. Its slug is derived from the title and never changes. The first use of a handle registers it for the account; handles are never given to another account.',
      body: CreateProjectInput,
      errors: ['conflict', 'bad_request', 'rate_limited'],
      ok: { status: 201, description: 'The project.', schema: ProjectBody },
    }).handle(async ({ caller, body, baseUrl, now }) => {
      const given = { handle: body.handle, title: body.title.trim(), summary: body.summary ?? '', tags: body.tags ?? [] };
      const mod = await projects.create(sessionOf(caller).userId, given, now);
      return json(toProjectBody(mod, 'owner', linksFor(baseUrl)), { status: 201 });
    }),

    defineRoute({
      ...session,
      method: 'delete',
      path: PATH,
      operationId: 'deleteModProject',
      summary: 'Delete a project',
      description: 'Deletes a project that never published, with its drafts and keys.',
      params: ProjectParams,
      errors: ['not_found', 'conflict', 'forbidden'],
      ok: { status: 204, contentTypes: [], description: 'Deleted.' },
    }).handle(async ({ caller, params, now }) => {
      await projects.remove(await projects.authorize(caller, params, 'owner'), now);
      return noContent();
    }),
  ];
}

function keyEndpoints(projects: ProjectsService): Endpoint[] {
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: `${PATH}/keys`,
      operationId: 'listProjectKeys',
      summary: 'List project keys',
      description: 'Lists the keys of a project, without their secrets.',
      params: ProjectParams,
      errors: ['not_found'],
      ok: { description: 'The keys.', schema: KeysBody },
    }).handle(async ({ caller, params }) =>
      json({ items: (await projects.listKeys(await projects.authorize(caller, params))).map(toKeyBody) }),
    ),

    defineRoute({
      ...session,
      method: 'post',
      path: `${PATH}/keys`,
      operationId: 'createProjectKey',
      summary: 'Create a project key',
      description:
        'Creates a key that publishes releases of this project and nothing else. The secret is returned only in this response. A project may have 10 live keys.',
      params: ProjectParams,
      body: KeyInput,
      showsSecret: true,
      errors: ['not_found', 'conflict', 'bad_request', 'service_unavailable'],
      ok: { status: 201, description: 'The key with its secret.', schema: KeyWithSecret },
    }).handle(async ({ caller, params, body, now }) => {
      const access = await projects.authorize(caller, params);
      const input = { name: body.name.trim(), allowedIps: body.allowed_ips, days: body.expires_in_days };
      const { secret, row } = await projects.createKey(access, input, now);
      return json({ ...toKeyBody(row), key: secret }, { status: 201 });
    }),

    defineRoute({
      ...session,
      method: 'delete',
      path: `${PATH}/keys/{id}`,
      operationId: 'endProjectKey',
      summary: 'End a project key',
      description: 'Ends a key, effective from the next request. Authors end their own keys, owners all. Idempotent.',
      params: ProjectKeyParams,
      errors: ['not_found', 'forbidden'],
      ok: { description: 'The keys.', schema: KeysBody },
    }).handle(async ({ caller, params, now }) => {
      const access = await projects.authorize(caller, params);
      await projects.endKey(access, params.id, now);
      return json({ items: (await projects.listKeys(access)).map(toKeyBody) });
    }),
  ];
}

function allowancesAdminEndpoint(allowances: Allowances): Endpoint {
  return defineRoute({
    ...shared,
    tag: 'Administration',
    access: adminAccess,
    method: 'put',
    path: '/admin/publishing/allowances/{user_id}',
    operationId: 'setPublishingAllowances',
    summary: 'Set allowances of an account',
    description: 'Changes what one account may use for its projects; null restores the setting, absent fields are unchanged.',
    params: AllowanceParams,
    body: AllowancesInput,
    ok: { description: 'The allowances.', schema: AllowancesBody },
  }).handle(async ({ params, body, now }) => {
    await allowances.set(params.user_id, body);
    return json(toAllowancesBody(await allowances.list(params.user_id, now), now));
  });
}

const bodyOf = ({ claim, mod }: Claim) => toClaimBody(claim, mod);

function claimEndpoints(claims: ClaimsService): Endpoint[] {
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: '/mod-claims',
      operationId: 'listModClaims',
      summary: 'List own claims',
      description: 'Lists the claims of the account; decided ones for 90 days.',
      ok: { description: 'The claims.', schema: ClaimsBody },
    }).handle(async ({ caller }) => json({ items: (await claims.list(sessionOf(caller).userId)).map(bodyOf) })),

    defineRoute({
      ...session,
      method: 'post',
      path: '/mod-claims',
      operationId: 'claimMod',
      summary: 'Claim a mod',
      description:
        'Claims a mod of the catalog that has no owner. A moderator decides; a mod from the linked catalog is confirmed at once when its description there has the code.',
      body: ClaimInput,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok: { status: 201, description: 'The claim.', schema: ClaimBody },
    }).handle(async ({ caller, body, now }) =>
      json(bodyOf(await claims.create(sessionOf(caller).userId, { mod: body.mod, handle: body.handle, note: body.note }, now)), {
        status: 201,
      }),
    ),

    defineRoute({
      ...session,
      access: sessionAccess('verified', verificationRateLimit),
      method: 'post',
      path: '/mod-claims/{id}/verify',
      operationId: 'verifyModClaim',
      summary: 'Look for the code',
      description: 'Reads the description of the mod in the linked catalog and confirms the claim when it has the code.',
      params: ClaimParams,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok: { description: 'The claim.', schema: VerifiedClaimBody },
    }).handle(async ({ caller, params, now }) => {
      const verified = await claims.verify(sessionOf(caller).userId, params.id, now);
      return json({ ...bodyOf(verified), check: verified.check });
    }),
  ];
}

function claimAdminEndpoints(claims: ClaimsService): Endpoint[] {
  const admin = { ...shared, tag: 'Administration', access: adminAccess } as const;
  return [
    defineRoute({
      ...admin,
      method: 'get',
      path: '/admin/mod-claims',
      operationId: 'listOpenModClaims',
      summary: 'List open claims',
      description: 'Lists claims that await a decision, the oldest first.',
      ok: { description: 'The claims.', schema: ClaimsBody },
    }).handle(async () => json({ items: (await claims.listOpen()).map(bodyOf) })),

    defineRoute({
      ...admin,
      method: 'post',
      path: '/admin/mod-claims/{id}/confirm',
      operationId: 'confirmModClaim',
      summary: 'Confirm a claim',
      description: 'Makes the account the owner of the mod and mails it. Idempotent.',
      params: ClaimParams,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok: { description: 'The claim.', schema: ClaimBody },
    }).handle(async ({ params, now }) => json(bodyOf(await claims.confirm(params.id, now)))),

    defineRoute({
      ...admin,
      method: 'post',
      path: '/admin/mod-claims/{id}/reject',
      operationId: 'rejectModClaim',
      summary: 'Reject a claim',
      description: 'Rejects a claim and mails the reason to the account. Idempotent.',
      params: ClaimParams,
      body: RejectInput,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The claim.', schema: ClaimBody },
    }).handle(async ({ params, body, now }) => json(bodyOf(await claims.reject(params.id, body.reason.trim(), now)))),
  ];
}
