/**
 * What kinds of access and endpoints declare. The other suites follow from the declarations, so they pass for a wrong one. A kind of access,
 * a rate limit, and an endpoint that deviates from a rule have their place here.
 */
import type { AccessKind } from '../../src/platform/access/policy/policy.ts';

/**
 * The ways of each kind of access, `|` between them, in the words of `textOf` in `access-checks.ts`; a kind with options has several rows. A
 * charge has the word `group` for the group of the path (`GROUPS`), the name of a limit of all endpoints of the kind, or the word `own`
 * (`OWN_LIMITS`).
 */
export const ROWS: Readonly<Record<AccessKind, readonly string[]>> = {
  open: ['none'],
  page: ['cookie: account session | none'],
  address: ['none: address own', 'none: address own, later address own hidden'],
  public: [
    'token scope: token group | none: address group',
    'token scope: token group, later token own | none: address group, later address own',
  ],
  tokenless: [
    'token scope: token group | none: address group',
    'cookie at times: account session | token scope: token group | none: address group',
  ],
  feedback: ['ignored token | none: address own if accepted, later all own hidden'],
  'optional-token': ['token nothing: token group | none: address group'],
  'any-token': ['described token: address token-info when refused'],
  token: ['token scope: token group', 'token scope: token group, token own', 'token scope: token group | none at times: address group'],
  project: ['session verified: account session | project key: project key project-key'],
  session: [
    'session ordinary: account session',
    'session ordinary: account session, account own',
    'session verified: account session',
    'session verified: account session, account own',
    'session verified: account session, account own if accepted',
  ],
  master: [
    'superuser session | token superuser: token standard',
    'superuser session | token superuser: token standard, token ingest if accepted when refused',
  ],
  admin: ['superuser session | token superuser with every scope: token standard'],
};

/** Limits that every endpoint of its kind has. */
export const OF_KINDS: readonly string[] = ['session', 'ingest', 'project-key', 'token-info'];

/** Scopes of the sections below `/v1` whose name is not that of their scope. */
export const SCOPE_OF_SECTION: Readonly<Record<string, string>> = {
  snapshot: 'rotations:read',
  modpacks: 'mods:read',
  'class-activity': 'activity:read',
};

/** Writes that admit a client without a credential. */
export const ANONYMOUS_WRITES =
  'calculateCoefficient convertTime sendFeedback decideModInvitationByLink lookUpMods readSheetOfVisitor sendMcpMessage signUp resendVerification verifyEmail login refreshSession logout forgotPassword resetPassword confirmDevice verifyEmailChange reportExposedTokens sendReportOfVisitor'.split(
    ' ',
  );

/** Writes of an account whose address is not verified. All others of accounts need a verified one. */
export const UNVERIFIED_WRITES =
  'withdrawFromGiveaway readSheetOfAccount endSession logoutAll changeProfile deleteAccount changePassword changeEmail setUpSecondFactor enableSecondFactor disableSecondFactor renewRecoveryCodes editToken rotateToken revokeToken deleteSignedWebhook registerWebhook editWebhook removeWebhook tryWebhookConditions testWebhook previewWebhook previewWebhookDesign createWebhookDesign editWebhookDesign deleteWebhookDesign sendReportOfAccount'.split(
    ' ',
  );

/** Operations whose response has a secret, which is never stored. */
export const SECRETS =
  'createProjectKey changePassword setUpSecondFactor enableSecondFactor renewRecoveryCodes mintToken rotateToken registerSignedWebhook rotateSignedWebhookSecret'.split(
    ' ',
  );

/** Writes that store nothing, besides the calculators below `/v1/gems`. */
export const STATELESS =
  'calculateCoefficient convertTime readMod buildMod lookUpMods readCharacterSheet readSheetOfAccount readSheetOfVisitor sendMcpMessage tryWebhookConditions previewWebhook previewWebhookDesign'.split(
    ' ',
  );

/** Operations with rate limits of their own, by the names of these. Images of previews have all the same. */
export const OWN_LIMITS: Readonly<Record<string, readonly string[]>> = {
  'feedback feedback-global': ['sendFeedback'],
  'reports reports-visitors': ['sendReportOfVisitor'],
  'ocr-visitor ocr-visitors': ['readSheetOfVisitor'],
  reports: ['sendReportOfAccount'],
  ocr: ['readCharacterSheet', 'readSheetOfAccount'],
  'codex-renders': ['renderBlueprint'],
  mcp: ['sendMcpMessage'],
  signup: ['signUp'],
  login: ['login'],
  'resend-verification': ['resendVerification'],
  'forgot-password': ['forgotPassword'],
  'mail-link': ['verifyEmail', 'resetPassword', 'confirmDevice', 'verifyEmailChange'],
  'session-renewal': ['refreshSession'],
  'sign-out': ['logout'],
  'account-deletion': ['deleteAccount'],
  'account-export': ['exportAccount'],
  'credential-change': [
    ...['changePassword', 'changeEmail', 'setUpSecondFactor', 'enableSecondFactor', 'disableSecondFactor', 'renewRecoveryCodes'],
  ],
  'token-creation': ['mintToken'],
  'signed-webhooks': [
    ...['registerSignedWebhook', 'editSignedWebhook', 'rotateSignedWebhookSecret', 'testSignedWebhook', 'replayWebhookDelivery'],
  ],
  'secret-scanning': ['reportExposedTokens'],
  'mod-invitation-links': ['decideModInvitationByLink'],
  'mod-claim-checks': ['verifyModClaim'],
};

/** Groups of rate limits by path. The first that matches counts; other paths have the standard limits. */
export const GROUPS: readonly [path: RegExp, group: string][] = [
  [/\/(?:badge|card)\/|\/(?:badge|card)\.svg$|\/\{\w+\}\.svg$/, 'images'],
  [/^(?:\/v1)?\/search(?:\/|$)/, 'search'],
  [/^\/v1\/feeds\/videos-b\/image$/, 'videos-b-image'],
  [/^\/v1\/codexes\/.*render/, 'codex-images'],
  [/^(?:\/v1\/codexes|\/codex)(?:\/|$)/, 'codexes'],
  [/^\/v1\/updates\/\{branch\}\/file$/, 'updates-file'],
  [/^\/v1\/mod(?:s|packs)\/.*(?:\/download|image)/, 'mods-files'],
  [/^\/v1\/mods\/(?:read|build|categories)$/, 'standard'],
  [/^\/v1\/mod(?:s|packs)(?:\/|$)/, 'mods-catalog'],
  [/^\/(?!v1\/)/, 'pages'],
];

/** Statuses of success besides 200. */
export const STATUSES: Readonly<Record<number, string>> = {
  201: 'addInterestItem addSupporter uploadModRelease requestPublishingAccess createModProject createProjectKey claimMod createGiveaway signUp mintToken registerSignedWebhook registerWebhook createWebhookDesign',
  202: 'insertLeaderboards backfillPlayerRenames backfillDuplicateNames replayLeaderboardDump backfillActivity backfillClassActivity testSignedWebhook replayWebhookDelivery runJob',
  204: 'deleteModDraft deleteModProject logout endSession logoutAll deleteAccount disableSecondFactor deleteSignedWebhook removeWebhook deleteWebhookDesign',
  303: 'getChangePasswordForm',
  308: 'getFullMarketItemPage getFullBoardPage getFullPlayerPage getFullUpdatePage',
};

/** The rate limits of the specification, by their name in the `RateLimit` headers. */
export const RATE_LIMITS = {
  anon: { limit: 30, windowSeconds: 60 },
  token: { limit: 120, windowSeconds: 60 },
  'anon-codexes': { limit: 150, windowSeconds: 60 },
  'token-codexes': { limit: 600, windowSeconds: 60 },
  'anon-codex-images': { limit: 1500, windowSeconds: 60 },
  'token-codex-images': { limit: 6000, windowSeconds: 60 },
  'anon-codex-renders': { limit: 150, windowSeconds: 60 },
  'token-codex-renders': { limit: 600, windowSeconds: 60 },
  'anon-mods-catalog': { limit: 240, windowSeconds: 60 },
  'token-mods-catalog': { limit: 960, windowSeconds: 60 },
  'anon-mods-files': { limit: 900, windowSeconds: 60 },
  'token-mods-files': { limit: 3600, windowSeconds: 60 },
  'anon-updates-file': { limit: 600, windowSeconds: 60 },
  'token-updates-file': { limit: 2400, windowSeconds: 60 },
  'anon-videos-b-image': { limit: 300, windowSeconds: 60 },
  'token-videos-b-image': { limit: 1200, windowSeconds: 60 },
  'anon-images': { limit: 120, windowSeconds: 60 },
  'anon-pages': { limit: 120, windowSeconds: 60 },
  'token-pages': { limit: 480, windowSeconds: 60 },
  'token-images': { limit: 480, windowSeconds: 60 },
  'anon-search': { limit: 120, windowSeconds: 60 },
  'token-search': { limit: 480, windowSeconds: 60 },
  ingest: { limit: 1, windowSeconds: 300 },
  feedback: { limit: 3, windowSeconds: 3600 },
  ocr: { limit: 10, windowSeconds: 60 },
  'ocr-visitor': { limit: 3, windowSeconds: 86_400 },
  reports: { limit: 5, windowSeconds: 3600 },
  session: { limit: 120, windowSeconds: 60 },
  'account-export': { limit: 5, windowSeconds: 3600 },
  'credential-change': { limit: 10, windowSeconds: 3600 },
  'account-deletion': { limit: 10, windowSeconds: 3600 },
  'token-creation': { limit: 3, windowSeconds: 86_400 },
  drawing: { limit: 60, windowSeconds: 60 },
  'signed-webhooks': { limit: 60, windowSeconds: 3600 },
  previews: { limit: 300, windowSeconds: 60 },
  mcp: { limit: 300, windowSeconds: 60 },
  signup: { limit: 5, windowSeconds: 3600 },
  login: { limit: 10, windowSeconds: 300 },
  'session-renewal': { limit: 120, windowSeconds: 60 },
  'sign-out': { limit: 120, windowSeconds: 60 },
  'mail-link': { limit: 10, windowSeconds: 300 },
  'forgot-password': { limit: 5, windowSeconds: 3600 },
  'resend-verification': { limit: 5, windowSeconds: 3600 },
  'project-key': { limit: 120, windowSeconds: 60 },
  'token-info': { limit: 120, windowSeconds: 60 },
  'mod-projects': { limit: 10, windowSeconds: 86_400 },
  'mod-claim-checks': { limit: 10, windowSeconds: 3600 },
  'mod-invitation-links': { limit: 30, windowSeconds: 3600 },
  'secret-scanning': { limit: 60, windowSeconds: 60 },
} as const;
export type RateLimitName = keyof typeof RATE_LIMITS;
