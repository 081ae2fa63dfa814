import { addressAccess, adminAccess, type RateLimitRule, sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import {
  InvitationBody,
  InvitationParams,
  InvitationsBody,
  LinkDecisionInput,
  MemberInput,
  MemberParams,
  MembersBody,
  OrphansBody,
  OwnerInput,
  toInvitationBody,
  toMembersBody,
} from './members.schemas.ts';
import type { Decision, MembersService } from './members.service.ts';
import type { ProjectsService } from './projects.service.ts';
import { ProjectParams } from './publishing.schemas.ts';

/** Per IP address: guesses of the secret in a mailed link. */
const invitationLinkRateLimit: RateLimitRule = {
  name: 'mod-invitation-links',
  limitOf: () => ({ limit: 30, windowSeconds: SECONDS_PER_HOUR }),
};

const shared = { tag: 'Publishing', surface: 'portal', hidden: true, feature: 'featureModsHubEnabled' } as const;
const session = { ...shared, access: sessionAccess('verified') } as const;
const PATH = '/projects/{handle}/{slug}/members';

interface MemberRouteDeps {
  projects: Pick<ProjectsService, 'authorize'>;
  members: MembersService;
}

/** Members, invitations, and projects without an owner. */
export function createMemberEndpoints(deps: MemberRouteDeps): Endpoint[] {
  return [...memberEndpoints(deps), ...invitationEndpoints(deps), ...orphanEndpoints(deps)];
}

function memberEndpoints({ projects, members }: MemberRouteDeps): Endpoint[] {
  const ok = { description: 'The members.', schema: MembersBody };
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: PATH,
      operationId: 'listModMembers',
      summary: 'List members',
      description: 'Lists owners, authors and open invitations.',
      params: ProjectParams,
      errors: ['not_found'],
      ok,
    }).handle(async ({ caller, params, now }) => json(toMembersBody(await members.list(await projects.authorize(caller, params), now)))),

    defineRoute({
      ...session,
      method: 'post',
      path: PATH,
      operationId: 'setModMember',
      summary: 'Invite a member',
      description:
        'Invites the account of a handle, and mails it: it becomes a member, or an author becomes an owner, when it accepts within 14 days. An owner becomes an author at once. For owners.',
      params: ProjectParams,
      body: MemberInput,
      errors: ['not_found', 'conflict', 'bad_request', 'forbidden'],
      ok,
    }).handle(async ({ caller, params, body, baseUrl, now }) => {
      const access = await projects.authorize(caller, params, 'owner');
      return json(toMembersBody(await members.set(access, body.handle, body.role, { now, baseUrl })));
    }),

    defineRoute({
      ...session,
      method: 'delete',
      path: `${PATH}/{member}`,
      operationId: 'removeModMember',
      summary: 'Remove a member',
      description:
        'Removes a member and ends its keys, or withdraws an invitation. Members may remove themselves. When the last owner leaves, the project is hidden from its members until a moderator gives it an owner; what it published stays.',
      params: MemberParams,
      errors: ['not_found', 'conflict', 'forbidden'],
      ok,
    }).handle(async ({ caller, params, now }) =>
      json(toMembersBody(await members.remove(await projects.authorize(caller, params), params.member, now))),
    ),
  ];
}

function invitationEndpoints({ members }: MemberRouteDeps): Endpoint[] {
  const ok = { description: 'The invitation, which has ended.', schema: InvitationBody };
  const decision = (name: Decision, operationId: string, summary: string, description: string) =>
    defineRoute({
      ...session,
      method: 'post',
      path: `/mod-invitations/{id}/${name}`,
      operationId,
      summary,
      description,
      params: InvitationParams,
      errors: ['not_found', 'conflict'],
      ok,
    }).handle(async ({ caller, params, now }) =>
      json(toInvitationBody(await members.decide(sessionOf(caller).userId, params.id, name, now))),
    );
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: '/mod-invitations',
      operationId: 'listModInvitations',
      summary: 'List own invitations',
      description: 'Lists open invitations of the account to projects.',
      ok: { description: 'The invitations.', schema: InvitationsBody },
    }).handle(async ({ caller, now }) =>
      json({ items: (await members.listInvitations(sessionOf(caller).userId, now)).map(toInvitationBody) }),
    ),
    decision('accept', 'acceptModInvitation', 'Accept an invitation', 'Makes the account a member of the project.'),
    decision('decline', 'declineModInvitation', 'Decline an invitation', 'Ends the invitation.'),
    defineRoute({
      ...shared,
      access: addressAccess(invitationLinkRateLimit),
      method: 'post',
      path: '/mod-invitations/by-link',
      operationId: 'decideModInvitationByLink',
      summary: 'Decide by a mailed link',
      description:
        'Accepts or declines an invitation with the token of its mailed link. The link ends when the password or the address of the account changes.',
      body: LinkDecisionInput,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok,
    }).handle(async ({ body, now }) => json(toInvitationBody(await members.decideByLink(body.token, body.decision, now)))),
  ];
}

function orphanEndpoints({ members }: MemberRouteDeps): Endpoint[] {
  const admin = { ...shared, tag: 'Administration', access: adminAccess } as const;
  return [
    defineRoute({
      ...admin,
      method: 'get',
      path: '/admin/mod-projects/without-owner',
      operationId: 'listModProjectsWithoutOwner',
      summary: 'List projects without owner',
      description: 'Lists projects whose last owner left or deleted the account.',
      ok: { description: 'The projects.', schema: OrphansBody },
    }).handle(async () =>
      json({ items: (await members.listOrphans()).map(({ handle, slug, title }) => ({ mod: `${handle}/${slug}`, title })) }),
    ),

    defineRoute({
      ...admin,
      method: 'post',
      path: '/admin/mod-projects/{handle}/{slug}/owner',
      operationId: 'giveModProjectOwner',
      summary: 'Give a project an owner',
      description: 'Makes the account of a handle the owner of a project without one, and mails it. Address and files stay.',
      params: ProjectParams,
      body: OwnerInput,
      errors: ['not_found', 'conflict', 'bad_request'],
      ok: { description: 'The members.', schema: MembersBody },
    }).handle(async ({ params, body, now }) => json(toMembersBody(await members.giveOwner(params, body.handle, now)))),
  ];
}
