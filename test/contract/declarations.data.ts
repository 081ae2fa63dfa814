/**
 * What endpoints declare beyond the rule of their kind. The other suites follow from the declarations, so they pass for a wrong one. An
 * endpoint that deviates from a rule has its place here.
 */

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
