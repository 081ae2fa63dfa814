import type { ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { createPasswords, type PasswordCost } from '../../platform/access/sessions/passwords.ts';
import { createSessionsRepository } from '../../platform/access/sessions/sessions.repository.ts';
import { createSessions, type Sessions } from '../../platform/access/sessions/sessions.ts';
import { createSignedClaims } from '../../platform/access/sessions/signed-claims.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { type AccountData, defineArea } from '../../platform/area.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { Job } from '../../platform/schedule/job.ts';
import type { Database } from '../../platform/storage/database.ts';
import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import type { UsageRepository } from '../../platform/usage/usage.repository.ts';
import { createAccountEndpoints } from './account.routes.ts';
import { createAccountChanges } from './account-changes.service.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { accountsSettings } from './accounts.settings.ts';
import { createBreachedPasswords } from './breached-passwords.upstream.ts';
import { createCaptcha } from './captcha.upstream.ts';
import { createExportEndpoint } from './export.routes.ts';
import { createFirstSuperuser } from './first-superuser.ts';
import { createLoginFailures } from './login-failures.repository.ts';
import { createMailLinks } from './mail-links.ts';
import { createRefreshRepository } from './refresh.repository.ts';
import { createSessionService } from './session.service.ts';
import { createSignInEndpoints } from './sign-in.routes.ts';
import { createSignInService } from './sign-in.service.ts';
import { createSignUpEndpoints } from './sign-up.routes.ts';
import { createSignUpService } from './sign-up.service.ts';
import { createUserAdminEndpoints } from './users.admin.routes.ts';

const DELETE_TIMEOUT_SECONDS = 60;

export interface AccountsAreaDeps {
  env: Env;
  db: Database;
  upstream: UpstreamClient;
  mailer: Mailer;
  tokens: TokenRegistry;
  usage: UsageRepository;
  scopes: ScopeRegistry;
  /** Account data of other areas. */
  data(): readonly AccountData[];
}

/** Accounts of the developer portal: `/auth/*`. */
export function createAccountsArea({ env, db, upstream, mailer, tokens, usage, scopes, data }: AccountsAreaDeps) {
  const { isNonProduction, linkProblem } = readEnvironment(env);
  const claims = createSignedClaims(env.SESSION_SECRET);
  const newId = () => crypto.randomUUID();
  const accounts = createAccountsRepository(db);
  const refresh = createRefreshRepository(db);
  const failures = createLoginFailures(db);
  const passwords = createPasswords(isNonProduction ? testCost(env.PASSWORD_COST) : undefined);
  const sessions: Sessions = createSessions(claims, createSessionsRepository(db));
  const captcha = createCaptcha(upstream, {
    url: env.CAPTCHA_URL,
    siteKey: env.CAPTCHA_SITEKEY,
    secret: env.CAPTCHA_SECRET,
    isNonProduction,
  });
  const sessionService = createSessionService({ sessions, refreshTokens: refresh, accounts, refreshKey: env.SESSION_SECRET, newId });
  const shared = {
    ...{ accounts, passwords, failures, sessions: sessionService, mailer, appName: env.APP_NAME },
    breached: createBreachedPasswords(upstream, env.BREACHED_PASSWORDS_URL),
    links: createMailLinks(claims, linkProblem),
  };
  const firstSuperuser = createFirstSuperuser({
    ...{ email: env.SUPERUSER_EMAIL, password: env.SUPERUSER_PASSWORD, accounts, passwords, newId },
    isProduction: !isNonProduction,
    onPermissionsChanged: tokens.invalidateByAccount,
  });
  const signIn = createSignInService({ ...shared, firstSuperuser });
  const signUp = createSignUpService({ ...shared, firstSuperuser, newId });
  const changes = createAccountChanges({ ...shared, firstSuperuser, data });

  const endpoints: Endpoint[] = [
    ...createSignUpEndpoints(signUp, captcha),
    ...createSignInEndpoints({ service: signIn, sessions: sessionService, captcha, isNonProduction }),
    ...createAccountEndpoints({ changes, sessions: refresh, isNonProduction }),
    createExportEndpoint({ changes, sessions: refresh, tokens, usage, scopes, data }),
    ...createUserAdminEndpoints(accounts, usage),
  ];
  const jobs: Job[] = [
    {
      name: 'accounts-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: DELETE_TIMEOUT_SECONDS,
      async run({ now }) {
        await refresh.deleteExpired(now);
        await failures.deleteExpired(now);
      },
    },
  ];
  return {
    endpoints,
    jobs,
    sessions,
    captcha,
    profileOf: async (userId: string) => {
      const account = await accounts.byId(userId);
      return account ? { email: account.email, displayName: account.displayName } : null;
    },
    emailOf: async (userId: string) => (await accounts.byId(userId))?.email ?? null,
    superusers: accounts.superusers,
  };
}

/** Hash cost for tests; undefined: the default. */
function testCost(n: string | undefined): PasswordCost | undefined {
  return n === undefined ? undefined : { n: Number(n), r: 8, p: 1 };
}

declare module '../../platform/area.ts' {
  interface Ports {
    sessions: Sessions;
    /** Email address and display name of an account. */
    accountProfile(userId: string): Promise<{ email: string; displayName: string | null } | null>;
    accountEmail(userId: string): Promise<string | null>;
    /** Email addresses of the superusers. */
    superusers(): Promise<string[]>;
    /** Public site key of the captcha; null when none is shown. */
    captchaSiteKey(): string | null;
  }
}

export const accountsArea = defineArea({
  settings: accountsSettings,
  stored: [
    {
      title: 'Account',
      what: 'Your email address, your display name if you set one, a hash of your password, whether the address is verified and accepts mail, when the account was created and last signed in to, and labels of the browsers used to sign in ("Firefox on Linux"), to notify you of a new one.',
      until: 'Until you delete the account.',
      tables: ['users'],
    },
    {
      title: 'Sign-ins',
      what: 'For each session the label of the browser, when it started and was last used, and hashes of its refresh tokens. Failed sign-ins are counted under a hash of the email address.',
      until:
        'Sessions until you sign out, or 30 days after their last use. Failed sign-ins expire after 30 minutes and are deleted by a daily job.',
      tables: ['sessions', 'login_failures'],
    },
    {
      title: 'Mail to you',
      what: 'Address and subject of mails sent to you, whether they were delivered and, for a change of address, the account that requested it; the text only until it is sent.',
      until: 'For 30 days, even if the account is deleted earlier.',
      tables: ['mail_outbox', 'outbox'],
    },
  ],
  create({ env, db, upstream, mailer, tokens, usage, scopes, service }) {
    const { sessions, captcha, profileOf, emailOf, superusers, ...parts } = createAccountsArea({
      ...{ env, db, upstream, mailer, tokens, usage, scopes },
      data: service.accountData,
    });
    return {
      ...parts,
      provides: { sessions, accountProfile: profileOf, accountEmail: emailOf, superusers, captchaSiteKey: () => captcha.siteKey },
    };
  },
});
