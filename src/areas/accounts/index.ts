import { createPasswords, type PasswordCost } from '../../platform/access/sessions/passwords.ts';
import { requireSuperusersFactor } from '../../platform/access/sessions/session-admission.ts';
import {
  createSessions,
  createSessionsStore,
  createSignedClaims,
  type SessionCaller,
  type Sessions,
} from '../../platform/access/sessions/sessions.ts';
import { createSignInRefusals } from '../../platform/access/sessions/sign-in-refusals.ts';
import { type AreaContext, defineArea, type Ports } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { createVault } from '../../platform/storage/vault.ts';
import { createAccountChanges } from './account-changes.service.ts';
import { createAccountDeletion } from './account-deletion.service.ts';
import { SECOND_FACTOR_EVENT_TTL_SECONDS } from './accounts.data.ts';
import { accountsSettings } from './accounts.settings.ts';
import { createAccountsStore } from './accounts.store.ts';
import { accountsTables } from './accounts.tables.ts';
import { createAttempts } from './attempts.store.ts';
import { createBreachedPasswords } from './breached-passwords.upstream.ts';
import { type CaptchaAction, captchaResponse, createCaptcha } from './captcha.upstream.ts';
import { createFirstSuperuser } from './first-superuser.service.ts';
import { createKnownDevices } from './known-devices.service.ts';
import { createMailLinks } from './mail-links.service.ts';
import { createRefreshStore } from './refresh.store.ts';
import { createSecondFactor, SECOND_FACTOR_VAULT } from './second-factor.service.ts';
import { createSecondFactorStore } from './second-factor.store.ts';
import { createSessionService } from './session.service.ts';
import { createSignInService } from './sign-in.service.ts';
import { createSignUpService } from './sign-up.service.ts';
import { createAccountSuspension } from './suspension.service.ts';
import { createSuspensionsStore } from './suspensions.store.ts';

const DELETE_TIMEOUT_SECONDS = 60;

/** Stores and services of accounts, for the routes, jobs and ports. */
function createServices(context: AreaContext) {
  const { env, environment, db, upstream, mailer, tokens, changeJournal, outbox, service, newId } = context;
  const { isNonProduction, linkProblem } = environment;
  const claims = createSignedClaims(env.SESSION_SECRET);
  const accounts = createAccountsStore(db);
  const refresh = createRefreshStore(db);
  const attempts = createAttempts(db, env.SESSION_SECRET);
  const factors = createSecondFactorStore(db, newId);
  const passwords = createPasswords(isNonProduction ? testCost(env.PASSWORD_COST) : undefined);
  const sessions: Sessions = createSessions(claims, createSessionsStore(db));
  const sessionService = createSessionService({ sessions, refreshTokens: refresh, accounts, refreshKey: env.SESSION_SECRET, newId });
  const secondFactor = createSecondFactor({
    store: factors,
    attempts,
    mailer,
    appName: env.APP_NAME,
    vault: createVault(env.WEBHOOK_SECRET ?? env.SESSION_SECRET, SECOND_FACTOR_VAULT),
  });
  const firstSuperuser = createFirstSuperuser({
    email: env.SUPERUSER_EMAIL,
    password: env.SUPERUSER_PASSWORD,
    accounts,
    passwords,
    newId,
    isProduction: !isNonProduction,
    changeOwner: tokens.changeOwner,
  });
  const shared = {
    accounts,
    passwords,
    attempts,
    secondFactor,
    sessions: sessionService,
    firstSuperuser,
    mailer,
    appName: env.APP_NAME,
    devices: createKnownDevices(claims),
    breached: createBreachedPasswords(upstream, env.BREACHED_PASSWORDS_URL),
    links: createMailLinks(claims, linkProblem),
  };
  const deletion = createAccountDeletion({ accounts, outbox, data: service.accountData, journal: changeJournal });
  const suspensions = createSuspensionsStore(db);
  return {
    accounts,
    refresh,
    attempts,
    factors,
    sessions,
    sessionService,
    secondFactor,
    captcha: createCaptcha(upstream, {
      url: env.CAPTCHA_URL,
      siteKey: env.CAPTCHA_SITEKEY,
      secret: env.CAPTCHA_SECRET,
      isNonProduction,
    }),
    refusals: createSignInRefusals(db),
    signIn: createSignInService(shared),
    signUp: createSignUpService({ ...shared, newId }),
    deletion,
    changes: createAccountChanges({ ...shared, deletion }),
    suspensions,
    suspension: createAccountSuspension({
      accounts,
      suspensions,
      changeOwner: tokens.changeOwner,
      mailer,
      appName: env.APP_NAME,
      newId,
    }),
  };
}

type Services = ReturnType<typeof createServices>;

/** The routes of `/auth/*`, and those of administrators. */
async function loadEndpoints(services: Services, { environment, tokens, scopes, service, ports }: AreaContext): Promise<Endpoint[]> {
  const [
    { createAccountEndpoints },
    { createExportEndpoint },
    { createSecondFactorEndpoints },
    { createSignInEndpoints },
    { createSignUpEndpoints },
    { createUserAdminEndpoints },
    { createSuspensionEndpoints },
  ] = await Promise.all([
    import('./account.routes.ts'),
    import('./export.routes.ts'),
    import('./second-factor.routes.ts'),
    import('./sign-in.routes.ts'),
    import('./sign-up.routes.ts'),
    import('./users.admin.routes.ts'),
    import('./suspensions.admin.routes.ts'),
  ]);
  const { isNonProduction } = environment;
  const { signUp, signIn, changes, secondFactor, captcha, refusals, refresh: sessions } = services;
  return [
    ...createSignUpEndpoints(signUp, captcha),
    ...createSignInEndpoints({ service: signIn, sessions: services.sessionService, captcha, refusals, isNonProduction }),
    ...createAccountEndpoints({ changes, sessions, isNonProduction }),
    ...createSecondFactorEndpoints({ changes, secondFactor, isNonProduction }),
    createExportEndpoint({ changes, sessions, secondFactor, tokens, scopes, data: service.accountData }),
    ...createUserAdminEndpoints(services.accounts, ports.usage),
    ...createSuspensionEndpoints(services.suspension),
  ];
}

/** Deletes what has expired, once a day. */
function createExpiryJob({ refresh, attempts, refusals, factors }: Services): Job {
  return {
    name: 'accounts-sweep',
    schedule: { everySeconds: SECONDS_PER_DAY },
    timeoutSeconds: DELETE_TIMEOUT_SECONDS,
    async run({ now }) {
      await refresh.deleteExpired(now);
      await attempts.deleteExpired(now);
      await refusals.deleteExpired(now);
      await factors.deleteExpiredEvents(now - SECOND_FACTOR_EVENT_TTL_SECONDS);
    },
  };
}

const confirmSuperuserWith =
  ({ changes, secondFactor }: Services): Ports['confirmSuperuser'] =>
  async (caller, code, { settings, ...context }) => {
    if (!caller.isSuperuser) return;
    // First, because an account without a second factor has no code to check.
    requireSuperusersFactor(caller, settings);
    const account = await changes.accountOf(caller);
    await secondFactor.require(account, code, 'session', context);
  };

/** Hash cost for tests; undefined: the default. */
function testCost(n: string | undefined): PasswordCost | undefined {
  return n === undefined ? undefined : { n: Number(n), r: 8, p: 1 };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    sessions: Sessions;
    accountEmail(userId: string): Promise<string | null>;
    /** Ids and email addresses of the superusers. */
    superusers(): Promise<{ id: string; email: string }[]>;
    /** Public site key of the captcha; null when none is shown. */
    captchaSiteKey(): string | null;
    /** Requires the captcha of a page outside the area. Throws 400 `captcha_failed`. */
    requireCaptcha(input: { request: Request; baseUrl: string }, action: CaptchaAction, token: string | undefined): Promise<void>;
    /**
     * Requires the code of a superuser's second factor, before a change that creates a token. Does nothing for other accounts, and for a
     * superuser without a second factor while none is required. Throws 401, 403 `second_factor_required` and 429.
     */
    confirmSuperuser(
      caller: SessionCaller,
      code: string | null | undefined,
      context: { settings: Settings; now: number; waitUntil(work: Promise<unknown>): void },
    ): Promise<void>;
  }
}

/** Accounts of the developer portal: `/auth/*`. */
export const accountsArea = defineArea({
  settings: accountsSettings,
  stored: [
    {
      title: 'Account',
      what: 'Your email address, your display name if you set one, a hash of your password, whether the address is verified and accepts mail, when the account was created and last signed in to, and labels of the browsers used to sign in ("Firefox on Linux"), to notify you of a new one.',
      until: 'Until you delete the account.',
    },
    {
      title: 'Sign-ins',
      what: 'For each session the label of the browser, when it started and was last used, and hashes of its refresh tokens. Failed sign-ins are counted under keyed hashes of the email address, of the network address with the email address, and of the device.',
      until:
        'Sessions until you sign out, or 30 days after their last use. Failed sign-ins count for up to a day and are deleted two days later.',
    },
    {
      title: 'Second factor',
      what: 'If you set one up: its secret, encrypted; hashes of the unused recovery codes; and when it was enabled, removed or reset, and a recovery code was used.',
      until: 'Until you remove it or delete the account. The list of changes for 400 days, or until you delete the account.',
    },
    {
      title: 'Suspensions',
      what: 'If your account was suspended: the reason, when it started and ended, and which administrators decided.',
      until: 'Until you delete the account.',
    },
    {
      title: 'Mail to you',
      what: 'Address and subject of mails sent to you, whether they were delivered and, for a change of address, the account that requested it; the text only until it is sent.',
      until: 'For 30 days, even if the account is deleted earlier.',
    },
  ],
  tables: accountsTables,
  create(context) {
    const services = createServices(context);
    const { accounts, factors, suspensions, sessions, captcha, deletion } = services;
    return {
      endpoints: [lazyRoutes(['/auth', '/admin'], () => loadEndpoints(services, context))],
      jobs: [deletion.job, createExpiryJob(services)],
      accountData: {
        async delete(userId) {
          await factors.deleteByAccount(userId);
          await suspensions.deleteByAccount(userId);
        },
      },
      provides: {
        sessions,
        accountEmail: async (userId: string) => (await accounts.byId(userId))?.email ?? null,
        superusers: accounts.superusers,
        confirmSuperuser: confirmSuperuserWith(services),
        captchaSiteKey: () => captcha.siteKey,
        requireCaptcha: (input: { request: Request; baseUrl: string }, action: CaptchaAction, token: string | undefined) =>
          captcha.require(captchaResponse(input, action, token)),
      },
    };
  },
});
