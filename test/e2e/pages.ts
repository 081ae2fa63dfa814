/** Public pages. */
export const OPEN_PAGES = [
  '/',
  '/docs',
  '/docs/quickstart',
  '/docs/errors',
  '/docs/reference/gems',
  '/codex',
  '/status',
  '/live',
  '/codex/mount',
  '/activity',
  '/servers',
  '/market',
  '/leaderboards',
  '/players',
  '/merchants',
  '/tools',
  '/tools/gems',
  '/tools/builds',
  '/tools/time',
  '/tools/tmod',
  '/tools/stats',
  '/mods',
  '/mods/packs',
  '/updates',
  '/docs/privacy',
  '/docs/terms',
  '/portal/login',
  '/portal/signup',
  '/portal/check-mail',
  '/portal/verify-email',
  '/portal/forgot-password',
  '/portal/reset-password?token=none',
  '/auth/verify-email?token=none',
  '/auth/verify-email-change?token=none',
  '/portal/invitation',
];
/** Pages of seeded data. */
export const SEEDED_PAGES = [
  '/leaderboards/1',
  '/codex/recipe/entry?path=prefabs%2Frecipes%2Frecipe_cat.binfab',
  '/codex/crafting?path=prefabs%2Frecipes%2Frecipe_cat.binfab&quantity=3',
  '/codex/changes',
  '/codex/changes/2',
  '/market/item?name=Sun+Sap',
  '/search?q=merchant',
];
/** Pages of an account. */
export const ACCOUNT_PAGES = [
  'tokens',
  'usage',
  'webhooks',
  'webhooks/signed',
  'webhooks/designs',
  'projects',
  'giveaways',
  'account',
  'sessions',
].map((name) => `/portal/${name}`);
/** Pages of an administrator. */
export const ADMIN_PAGES = ['', 'users', 'usage', 'settings', 'jobs', 'interest-items', 'supporters', 'ingest', 'mods', 'giveaways'].map(
  (name) => `/portal/admin${name && '/'}${name}`,
);
