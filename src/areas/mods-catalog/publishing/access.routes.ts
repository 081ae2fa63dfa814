import { z } from '@hono/zod-openapi';
import { adminAccess, sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { enumOf, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { textOrNull } from '../catalog/catalog.schemas.ts';
import { prose, requiredLine } from '../insert/insert.schemas.ts';
import { ACCESS_STATES, PROJECT_LIMITS, PUBLISHING_ACCESS_MODES } from '../records/publishing.data.ts';
import type { PublishingAccess } from './access.service.ts';
import { EXAMPLE_TIME } from './publishing.schemas.ts';

const shared = { tag: 'Publishing', surface: 'portal', hidden: true, feature: 'featureModsHubEnabled' } as const;
const session = { ...shared, access: sessionAccess('verified') } as const;
const admin = { ...shared, tag: 'Administration', access: adminAccess } as const;

const AccessInput = z
  .object({ note: prose(PROJECT_LIMITS.claimNote, 'What the account wants to publish.', 'My wing mods.').default('') })
  .openapi('PublishingAccessInput', { description: 'A request to publish.' });
const RejectInput = z
  .object({ reason: requiredLine(PROJECT_LIMITS.reason, 'Reason, sent to the account.', 'No mod named') })
  .openapi('PublishingAccessRejection', { description: 'Why.' });
const UserParams = z.object({ user_id: z.string().max(64).openapi({ description: 'Id of the account.', example: 'bot0Example' }) });
const StateQuery = z.object({ state: z.enum(ACCESS_STATES).default('pending').openapi({ description: 'State.', example: 'pending' }) });

const AccessBody = z
  .object({
    mode: enumOf(PUBLISHING_ACCESS_MODES).openapi({ description: 'Who may publish.', example: 'approved' }),
    is_allowed: z.boolean().openapi({ description: 'Whether the account may publish.', example: false }),
    state: enumOf(ACCESS_STATES).nullable().openapi({ description: 'State of its request; null before it asked.', example: null }),
    reason: textOrNull('Reason of a rejection.', null, PROJECT_LIMITS.reason),
  })
  .openapi('PublishingAccess', { description: 'Whether an account may publish.' });

const RequestsBody = z
  .object({
    items: z
      .array(
        z.object({
          user_id: string('Id of the account.', 'bot0Example'),
          email: string('Address of the account.', 'ana@example.com'),
          state: enumOf(ACCESS_STATES).openapi({ description: 'State.', example: 'pending' }),
          note: string('What it wants to publish.', 'My wing mods.'),
          created_at: string('Time of the request.', EXAMPLE_TIME),
        }),
      )
      .openapi({ description: 'The oldest first, at most 200.' }),
  })
  .openapi('PublishingAccessRequests', { description: 'Requests to publish.' });

/** Requests of accounts to publish, and decisions of superusers. */
export function createAccessEndpoints(access: PublishingAccess): Endpoint[] {
  async function bodyOf(userId: string): Promise<z.infer<typeof AccessBody>> {
    const { mode, request, isAllowed } = await access.find(userId);
    return { mode, is_allowed: isAllowed, state: request?.state ?? null, reason: request?.reason ?? null };
  }
  const ok = { description: 'The access.', schema: AccessBody };
  return [
    defineRoute({
      ...session,
      method: 'get',
      path: '/publishing-access',
      operationId: 'getPublishingAccess',
      summary: 'Get the own access',
      description: 'Returns whether the account may publish, and its request.',
      ok,
    }).handle(async ({ caller }) => json(await bodyOf(sessionOf(caller).userId))),

    defineRoute({
      ...session,
      method: 'post',
      path: '/publishing-access',
      operationId: 'requestPublishingAccess',
      summary: 'Ask to publish',
      description: 'Asks the superusers once for the permission to publish; the decision is mailed.',
      body: AccessInput,
      errors: ['conflict'],
      ok: { ...ok, status: 201 },
    }).handle(async ({ caller, body, baseUrl, now }) => {
      const { userId } = sessionOf(caller);
      await access.request(userId, body.note, { now, baseUrl });
      return json(await bodyOf(userId), { status: 201 });
    }),

    defineRoute({
      ...admin,
      method: 'get',
      path: '/admin/publishing/access',
      operationId: 'listPublishingAccess',
      summary: 'List requests to publish',
      description: 'Lists requests of accounts in a state.',
      query: StateQuery,
      ok: { description: 'The requests.', schema: RequestsBody },
    }).handle(async ({ query }) =>
      json({
        items: (await access.list(query.state)).map(({ userId, email, state, note, createdAt }) => ({
          user_id: userId,
          email,
          state,
          note,
          created_at: toIso(createdAt),
        })),
      }),
    ),

    defineRoute({
      ...admin,
      method: 'post',
      path: '/admin/publishing/access/{user_id}/approve',
      operationId: 'approvePublishingAccess',
      summary: 'Allow an account to publish',
      description: 'Approves a request and mails the account. Idempotent.',
      params: UserParams,
      errors: ['not_found', 'conflict'],
      ok,
    }).handle(async ({ params, now }) => {
      await access.decide(params.user_id, 'approved', null, now);
      return json(await bodyOf(params.user_id));
    }),

    defineRoute({
      ...admin,
      method: 'post',
      path: '/admin/publishing/access/{user_id}/reject',
      operationId: 'rejectPublishingAccess',
      summary: 'Refuse an account',
      description: 'Rejects a request, also an approved one, and mails the reason. Idempotent.',
      params: UserParams,
      body: RejectInput,
      errors: ['not_found', 'conflict'],
      ok,
    }).handle(async ({ params, body, now }) => {
      await access.decide(params.user_id, 'rejected', body.reason.trim(), now);
      return json(await bodyOf(params.user_id));
    }),
  ];
}
