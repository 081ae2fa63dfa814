import { createPasswords, type PasswordCost } from '../../platform/access/sessions/passwords.ts';
import { createSessionsRepository } from '../../platform/access/sessions/sessions.repository.ts';
import { createSessions, type Sessions } from '../../platform/access/sessions/sessions.ts';
import { createSignedClaims } from '../../platform/access/sessions/signed-claims.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
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

const SWEEP_TIMEOUT_SECONDS = 60;

export interface AccountsAreaDeps {
  env: Env;
  db: Database;
  upstream: UpstreamClient;
  mailer: Mailer;
  tokens: TokenRegistry;
  usage: UsageRepository;
  /** Deletes what else belongs to an account, before the account itself. */
  removers: readonly ((userId: string) => Promise<void>)[];
  /** Chat webhooks of an account, without their secrets. */
  webhooksOf(userId: string): Promise<Record<string, unknown>[]>;
  /** Pictures that an account has designed for them. */
  designsOf(userId: string): Promise<Record<string, unknown>[]>;
}

/** Accounts of the developer portal: `/auth/*`. */
export function createAccountsArea({ env, db, upstream, mailer, tokens, usage, removers, webhooksOf, designsOf }: AccountsAreaDeps) {
  const { isForTesting } = readEnvironment(env);
  const claims = createSignedClaims(env.SESSION_SECRET);
  const drawId = () => crypto.randomUUID();
  const accounts = createAccountsRepository(db);
  const refresh = createRefreshRepository(db);
  const failures = createLoginFailures(db);
  const passwords = createPasswords(isForTesting ? testCost(env.PASSWORD_COST) : undefined);
  const sessions: Sessions = createSessions(claims, createSessionsRepository(db));
  const captcha = createCaptcha(upstream, { url: env.CAPTCHA_URL, siteKey: env.CAPTCHA_SITEKEY, secret: env.CAPTCHA_SECRET, isForTesting });
  const sessionService = createSessionService({ sessions, stored: refresh, accounts, refreshKey: env.SESSION_SECRET, drawId });
  const shared = {
    ...{ accounts, passwords, failures, sessions: sessionService, mailer, appName: env.APP_NAME },
    breached: createBreachedPasswords(upstream, env.BREACHED_PASSWORDS_URL),
    links: createMailLinks(claims),
  };
  const firstSuperuser = createFirstSuperuser({
    ...{ email: env.SUPERUSER_EMAIL, password: env.SUPERUSER_PASSWORD, accounts, passwords, drawId },
    isProduction: !isForTesting,
    onRightsChanged: tokens.ownerChanged,
  });
  const signIn = createSignInService({ ...shared, firstSuperuser });
  const signUp = createSignUpService({ ...shared, firstSuperuser, drawId });
  const changes = createAccountChanges({ ...shared, firstSuperuser, removers });

  const endpoints: Endpoint[] = [
    ...createSignUpEndpoints(signUp, captcha),
    ...createSignInEndpoints({ service: signIn, sessions: sessionService, captcha, isForTesting }),
    ...createAccountEndpoints({ changes, sessions: refresh, isForTesting }),
    createExportEndpoint({ changes, sessions: refresh, tokens, usage, webhooksOf, designsOf }),
    ...createUserAdminEndpoints(accounts, usage),
  ];
  const jobs: Job[] = [
    {
      name: 'accounts-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: SWEEP_TIMEOUT_SECONDS,
      async run({ now }) {
        await refresh.prune(now);
        await failures.prune(now);
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

/** A cost for tests; undefined: what is recommended. */
function testCost(n: string | undefined): PasswordCost | undefined {
  return n === undefined ? undefined : { n: Number(n), r: 8, p: 1 };
}
