import { z } from '@hono/zod-openapi';
import { secondFactorEvents } from '../../platform/access/sessions/second-factor.tables.ts';
import { TokenView } from '../../platform/access/tokens/token-view.schemas.ts';
import type { UsageCounts } from '../../platform/access/usage/usage-sums.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MAX_EMAIL_LENGTH, mailAddressFault } from '../../platform/kit/values/mail-address.domain.ts';
import { MAX_DISPLAY_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './accounts.data.ts';
import type { Account, TokenTotals } from './accounts.store.ts';
import type { Session } from './refresh.store.ts';
import type { SecondFactorState } from './second-factor.service.ts';
import type { Suspension } from './suspensions.store.ts';

const MAX_CAPTCHA_LENGTH = 4096;
const MAX_LINK_LENGTH = 2048;
const MAX_CODE_LENGTH = 40;
const EXAMPLE_TIME = '2026-03-10T15:30:00.000Z';

const email = (description = 'Email address.') =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const fault = mailAddressFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault, params: { type: 'invalid_format' } });
    })
    .openapi({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH, description, example: 'ada@example.com' });
/** A new password. */
const newPassword = (description: string) =>
  z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH).openapi({ description, example: 'four plain words together' });
/** A password to verify. A wrong length is a wrong password (401), not invalid input (422). */
const givenPassword = z
  .string()
  .max(MAX_PASSWORD_LENGTH)
  .openapi({ description: 'Password of the account.', example: 'four plain words together' });
const captchaToken = z
  .string()
  .max(MAX_CAPTCHA_LENGTH)
  .optional()
  .openapi({ description: 'Response token of the captcha, when one is shown.', example: 'XXXX.DUMMY.TOKEN.XXXX' });
const displayName = z
  .string()
  .trim()
  .max(MAX_DISPLAY_NAME_LENGTH)
  .nullish()
  .openapi({ type: ['string', 'null'], description: 'Display name; null or empty for none.', example: 'Ada' });
const isoTime = (description: string) => z.string().openapi({ description, example: EXAMPLE_TIME });
const isoTimeOrNull = (description: string) => z.string().nullable().openapi({ description, example: EXAMPLE_TIME });

export const SignUpInput = z
  .object({
    email: email(),
    password: newPassword('Password, 8 to 256 characters.'),
    display_name: displayName,
    captcha_token: captchaToken,
  })
  .openapi('SignUp');

/** A code of the second factor. A wrong format is a wrong code (401), not invalid input (422). */
const code = z
  .string()
  .max(MAX_CODE_LENGTH)
  .openapi({ description: 'Code of the authenticator app, or a recovery code.', example: '287082' });
const optionalCode = code.nullish().openapi({
  type: ['string', 'null'],
  description: 'Code of the authenticator app, or a recovery code, when the account has a second factor.',
  example: null,
});

export const LoginInput = z
  .object({ email: email(), password: givenPassword, code: optionalCode, captcha_token: captchaToken })
  .openapi('Login');

export const ResendInput = z.object({ email: email(), captcha_token: captchaToken }).openapi('ResendVerification');
export const ForgotInput = z.object({ email: email(), captcha_token: captchaToken }).openapi('ForgotPassword');

const linkToken = z
  .string()
  .max(MAX_LINK_LENGTH)
  .openapi({ description: 'Token of the mailed link.', example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' });

export const ResetInput = z
  .object({ token: linkToken, new_password: newPassword('The new password, 8 to 256 characters.') })
  .openapi('ResetPassword');

export const ConfirmDeviceInput = z.object({ token: linkToken }).openapi('ConfirmDevice');

/** Confirming an address requires the mailed token and the account password. */
export const ConfirmEmailInput = z.object({ token: linkToken, password: givenPassword }).openapi('ConfirmEmail');

export const RefreshInput = z
  .object({
    refresh_token: z
      .string()
      .max(200)
      .nullish()
      .openapi({ description: 'Refresh token, for clients that do not send the cookie.', example: null }),
  })
  .openapi('Refresh');

export const ChangePasswordInput = z
  .object({
    current_password: givenPassword,
    new_password: newPassword('The new password, 8 to 256 characters.'),
    code: optionalCode,
  })
  .openapi('ChangePassword');

export const ChangeEmailInput = z
  .object({ new_email: email('New email address.'), password: givenPassword, code: optionalCode })
  .openapi('ChangeEmail');
export const ProfileInput = z.object({ display_name: displayName }).openapi('Profile');
export const DeleteAccountInput = z
  .object({
    confirm_email: z.string().max(MAX_EMAIL_LENGTH).openapi({ description: 'Email address of the account.', example: 'ada@example.com' }),
    password: givenPassword,
    code: optionalCode,
  })
  .openapi('DeleteAccount');

export const SetUpInput = z.object({ password: givenPassword }).openapi('SetUpSecondFactor');
export const EnableSecondFactorInput = z.object({ code }).openapi('EnableSecondFactor');
export const SecondFactorInput = z.object({ password: givenPassword, code: optionalCode }).openapi('ConfirmSecondFactor');

export const SessionParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the session.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
});

const accountFields = {
  id: z.string().openapi({ description: 'Id of the account.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
  email: z.string().openapi({ description: 'Email address.', example: 'ada@example.com' }),
  display_name: z.string().nullable().openapi({ description: 'Display name, or null.', example: 'Ada' }),
  is_active: z.boolean().openapi({ description: 'Whether the account is enabled.', example: true }),
  is_verified: z.boolean().openapi({ description: 'Whether the email address is verified.', example: true }),
  is_superuser: z.boolean().openapi({ description: 'Whether the account is an administrator.', example: false }),
  roles: z
    .array(z.string().openapi({ example: 'superuser' }))
    .openapi({ description: 'Additional permissions of the account.', example: [] }),
  created_at: isoTime('Creation time of the account.'),
  last_login_at: isoTimeOrNull('Last sign-in, or null.'),
};

export const AccountBody = z.object(accountFields).openapi('Account');

export const AccountSummaryBody = z
  .object({
    ...accountFields,
    token_count: z.number().int().openapi({ description: 'Number of tokens, including revoked ones.', example: 2 }),
    total_requests: z.number().int().openapi({ description: 'Requests made with its tokens in the window.', example: 1024 }),
    last_used_at: isoTimeOrNull('Last request made with any of its tokens, or null.'),
    rate_limited: z.number().int().openapi({ description: 'Requests in the window rejected with 429.', example: 0 }),
  })
  .openapi('AccountSummary');

export const UsersQuery = z.object({
  days: integerWithDefault({ min: 1, max: 365, default: 30, description: 'Window of the usage figures in days.', example: 30 }),
  q: z.string().max(MAX_EMAIL_LENGTH).optional().openapi({ description: 'Part of the email address.', example: 'ada' }),
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page.', example: 50 }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of items to skip.', example: 0 }),
});
export const UserQuery = z.object({
  days: integerWithDefault({ min: 1, max: 365, default: 30, description: 'Window of the usage figures in days.', example: 30 }),
});

const MAX_REASON_LENGTH = 500;

export const SuspendInput = z
  .object({
    reason: severalLines(z.string().trim().min(1).max(MAX_REASON_LENGTH)).openapi({
      description: 'Reason, mailed to the account. Up to 500 characters.',
      example: 'Uploads of malware.',
    }),
  })
  .openapi('SuspendAccount');
export const EndSuspensionInput = z
  .object({
    reason: severalLines(z.string().trim().max(MAX_REASON_LENGTH))
      .nullish()
      .openapi({ description: 'Reason for the audit trail; not mailed.', example: 'Appeal accepted.' }),
  })
  .openapi('EndAccountSuspension');

const actorId = (description: string) => z.string().openapi({ description, example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11' });

export const SuspensionsBody = z
  .object({
    items: z
      .array(
        z
          .object({
            reason: z.string().openapi({ description: 'Reason that was mailed to the account.', example: 'Uploads of malware.' }),
            started_at: isoTime('Start.'),
            started_by: actorId('Account of the superuser.'),
            ended_at: isoTimeOrNull('End; null while the account is suspended.'),
            ended_by: actorId('Account of the superuser who ended it, or null.').nullable(),
            end_reason: z.string().nullable().openapi({ description: 'Why it was ended, or null.', example: 'Appeal accepted.' }),
          })
          .openapi('AccountSuspension'),
      )
      .openapi({ description: 'Newest first, at most 50.' }),
    count: z.number().int().openapi({ description: 'Number of items.', example: 1 }),
  })
  .openapi('AccountSuspensions');

export const AccountsBody = z
  .object({
    items: z.array(AccountSummaryBody).openapi({ description: 'Newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items on this page.', example: 1 }),
    total: z.number().int().openapi({ description: 'Total number of items.', example: 1 }),
    as_of: isoTime('All requests until this time are counted; of later ones some.'),
  })
  .openapi('Accounts');

export const SignedInBody = z
  .object({
    access_token: z
      .string()
      .openapi({ description: 'Access token for `Authorization: Bearer`.', example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' }),
    token_type: z.literal('bearer').openapi({ description: 'Authorization scheme.', example: 'bearer' }),
    expires_in: z.number().int().openapi({ description: 'Lifetime in seconds.', example: 900 }),
  })
  .openapi('SignedIn');

const recoveryCodes = z
  .array(z.string().openapi({ example: 'ABCD-EFGH-IJKL-MNOP' }))
  .openapi({ description: 'Recovery codes. Each replaces one code of the app.', example: ['ABCD-EFGH-IJKL-MNOP'] });

export const RecoveryCodesBody = z.object({ recovery_codes: recoveryCodes }).openapi('RecoveryCodes');
export const EnabledBody = SignedInBody.extend({ recovery_codes: recoveryCodes }).openapi('SecondFactorEnabled');

export const SetUpBody = z
  .object({
    secret: z.string().openapi({ description: 'Secret in base32, to type into the app.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    otpauth_uri: z
      .string()
      .openapi({ description: 'The secret as an otpauth URI.', example: 'otpauth://totp/App:ada%40example.com?secret=JBSWY3DPEHPK3PXP' }),
    qr_svg: z
      .string()
      .openapi({ description: 'The URI as a QR code, an SVG image.', example: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  })
  .openapi('SecondFactorSetUp');

export const SecondFactorBody = z
  .object({
    enabled: z.boolean().openapi({ description: 'Whether the account has a second factor.', example: true }),
    enabled_at: isoTimeOrNull('When it was enabled, or null.'),
    recovery_codes_left: z.number().int().openapi({ description: 'Number of unused recovery codes.', example: 10 }),
    events: z
      .array(
        z
          .object({
            kind: z.enum(secondFactorEvents.kind.enumValues).openapi({ description: 'What happened.', example: 'enabled' }),
            actor: z.string().nullable().openapi({ description: 'Who reset it, or null for the account itself.', example: null }),
            at: isoTime('Time of the event.'),
          })
          .openapi('SecondFactorEvent'),
      )
      .openapi({ description: 'Latest changes of the last 400 days, newest first.' }),
  })
  .openapi('SecondFactor');

export const SessionsBody = z
  .array(
    z
      .object({
        id: z.string().openapi({ description: 'Id of the session.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
        device: z
          .string()
          .nullable()
          .openapi({ description: 'Browser and operating system, without versions.', example: 'Firefox on Windows' }),
        created_at: isoTime('Start of the session.'),
        last_used_at: isoTime('Last renewal of its access token.'),
        expires_at: isoTime('Expiry of the session; each use extends it.'),
        current: z.boolean().openapi({ description: 'Whether this is the session of the request.', example: true }),
      })
      .openapi('Session'),
  )
  .openapi({ description: 'Active sessions, most recently used first.' });

export const MessageBody = z
  .object({
    message: z.string().openapi({ description: 'Result, as a sentence for the user.', example: 'If the account exists, a mail was sent.' }),
  })
  .openapi('Message');

/** A part of the export in the form of another endpoint. */
const records = (description: string) => z.array(z.record(z.string(), z.unknown())).openapi({ description, example: [] });

export const ExportBody = z
  .object({
    exported_at: isoTime('Creation time of the export.'),
    user: AccountBody,
    api_tokens: z.array(TokenView).openapi({ description: 'Tokens, without their secrets.' }),
    sessions: SessionsBody,
    second_factor: SecondFactorBody,
    webhooks: records('Discord webhooks as returned by `GET /v1/webhooks`, with masked URLs.'),
    signed_webhooks: records('Signed webhooks as returned by `GET /v1/webhooks/signed`, without their secrets.'),
    webhook_designs: records('Image designs as returned by `GET /v1/webhooks/designs`.'),
    usage_events: records('Requests made with the tokens, newest first: the latest 20,000 of the last 30 days.'),
    mod_publishing_request: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'Request to publish mods, with its decision; null for none.', example: null }),
    mod_handles: records('Handles of the account in the mod catalog.'),
    mod_projects: records('Mod projects that the account is a member of, with its role.'),
    mod_invitations: records('Open invitations to mod projects.'),
    mod_claims: records('Claims of mods and their results.'),
    mod_project_keys: records('Project keys that the account made, without their secrets.'),
  })
  .openapi('AccountExport');

/** An account as shown to its owner and to administrators. */
export function toAccountBody(account: Account): z.infer<typeof AccountBody> {
  return {
    id: account.id,
    email: account.email,
    display_name: account.displayName,
    is_active: account.isActive,
    is_verified: account.isVerified,
    is_superuser: account.isSuperuser,
    roles: account.isSuperuser ? ['superuser'] : [],
    created_at: toIso(account.createdAt),
    last_login_at: isoOrNull(account.lastLoginAt),
  };
}

/** An account with its usage, for administrators. */
export function toAccountSummary(
  account: Account,
  totals: TokenTotals | undefined,
  usage: UsageCounts | undefined,
): z.infer<typeof AccountSummaryBody> {
  return {
    ...toAccountBody(account),
    token_count: totals?.tokenCount ?? 0,
    total_requests: usage?.requestCount ?? 0,
    last_used_at: isoOrNull(totals?.lastUsedAt ?? null),
    rate_limited: usage?.rateLimited ?? 0,
  };
}

export function toSuspensionsBody(rows: readonly Suspension[]): z.infer<typeof SuspensionsBody> {
  const items = rows.map(({ reason, startedAt, startedBy, endedAt, endedBy, endReason }) => ({
    reason,
    started_at: toIso(startedAt),
    started_by: startedBy,
    ended_at: isoOrNull(endedAt),
    ended_by: endedBy,
    end_reason: endReason,
  }));
  return { items, count: items.length };
}

export function toSecondFactorBody({ enabledAt, recoveryCodesLeft, events }: SecondFactorState): z.infer<typeof SecondFactorBody> {
  return {
    enabled: enabledAt !== null,
    enabled_at: isoOrNull(enabledAt),
    recovery_codes_left: recoveryCodesLeft,
    events: events.map(({ kind, actor, at }) => ({ kind, actor, at: toIso(at) })),
  };
}

export function toSessionsBody(sessions: readonly Session[], currentId: string): z.infer<typeof SessionsBody> {
  return sessions.map((session) => ({
    id: session.id,
    device: session.device,
    created_at: toIso(session.createdAt),
    last_used_at: toIso(session.lastUsedAt),
    expires_at: toIso(session.expiresAt),
    current: session.id === currentId,
  }));
}

const isoOrNull = (at: UnixSeconds | null): string | null => (at === null ? null : toIso(at));
