import { z } from '@hono/zod-openapi';
import { enumOf, string } from '../../../platform/http/bodies/body-schemas.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { ModParams } from '../catalog/catalog.schemas.ts';
import { ROLES } from '../records/publishing.data.ts';
import type { Members } from './members.service.ts';
import type { Invitation } from './memberships.store.ts';
import { EXAMPLE_ID, EXAMPLE_TIME, handle } from './publishing.schemas.ts';

const role = (description: string, example: 'author' | 'owner') => enumOf(ROLES).openapi({ description, example });

export const MemberParams = ModParams.extend({ member: handle('Handle of the member or of the invited account.') });

export const MemberInput = z
  .object({ handle: handle('A handle of the account.'), role: role('Role.', 'author') })
  .openapi('ModMemberInput', { description: 'A member.' });

export const MembersBody = z
  .object({
    items: z
      .array(
        z.object({
          handle: string('Handle of the member.', 'ana'),
          role: role('Role.', 'owner'),
          since: string('Time when the member was added.', EXAMPLE_TIME),
        }),
      )
      .openapi({ description: 'The first member first.' }),
    invitations: z
      .array(
        z.object({
          handle: string('Handle of the invited account.', 'ben'),
          role: role('Role that it gets.', 'author'),
          invited_by: string('Handle of the owner who invited it.', 'ana'),
          expires_at: string('Time when the invitation ends.', '2026-03-24T15:00:00.000Z'),
        }),
      )
      .openapi({ description: 'Open invitations, the oldest first, at most 200.' }),
  })
  .openapi('ModMembers', { description: 'The members of a project.' });

export const toMembersBody = ({ members, invitations }: Members): z.infer<typeof MembersBody> => ({
  items: members.map((member) => ({ handle: member.handle, role: member.role, since: toIso(member.createdAt) })),
  invitations: invitations.map((invitation) => ({
    handle: invitation.handle,
    role: invitation.role,
    invited_by: invitation.inviter,
    expires_at: toIso(invitation.expiresAt),
  })),
});

export const InvitationParams = z.object({ id: z.string().max(64).openapi({ description: 'Id of the invitation.', example: EXAMPLE_ID }) });

export const InvitationBody = z
  .object({
    id: string('Id.', EXAMPLE_ID),
    mod: string('Address of the mod.', 'ana/tiny-wings'),
    title: string('Title of the mod; empty unless it is public.', 'Tiny Wings'),
    handle: string('Invited handle.', 'ben'),
    role: role('Role that the account gets.', 'author'),
    invited_by: string('Handle of the owner who invited it.', 'ana'),
    created_at: string('Time of the invitation.', EXAMPLE_TIME),
    expires_at: string('Time when it ends.', '2026-03-24T15:00:00.000Z'),
  })
  .openapi('ModInvitation', { description: 'An invitation to a project.' });

export const InvitationsBody = z
  .object({ items: z.array(InvitationBody).openapi({ description: 'Open invitations, the oldest first, at most 200.' }) })
  .openapi('ModInvitations', { description: 'Invitations.' });

export const toInvitationBody = ({ invitation, mod }: Invitation): z.infer<typeof InvitationBody> => ({
  id: invitation.id,
  mod: `${mod.handle}/${mod.slug}`,
  // A private project shows nothing before the account is a member.
  title: mod.isVisible ? mod.title : '',
  handle: invitation.handle,
  role: invitation.role,
  invited_by: invitation.inviter,
  created_at: toIso(invitation.createdAt),
  expires_at: toIso(invitation.expiresAt),
});

const DECISIONS = ['accept', 'decline'] as const;
export const LinkDecisionInput = z
  .object({
    token: z
      .string()
      .max(200)
      .openapi({ description: 'Token of the mailed link.', example: `${EXAMPLE_ID}.secret` }),
    decision: z.enum(DECISIONS).openapi({ description: 'Whether to become a member.', example: 'accept' }),
  })
  .openapi('ModInvitationDecision', { description: 'A decision by a mailed link.' });

export const OwnerInput = z
  .object({ handle: handle('A handle of the new owner.') })
  .openapi('ModOwnerInput', { description: 'A new owner.' });

export const OrphansBody = z
  .object({
    items: z
      .array(z.object({ mod: string('Address of the mod.', 'ana/tiny-wings'), title: string('Title of the mod.', 'Tiny Wings') }))
      .openapi({ description: 'By address, at most 200.' }),
  })
  .openapi('ModProjectsWithoutOwner', { description: 'Projects without an owner.' });
