/** A variable or secret of the deployment. `meaning` is Markdown; docs/operations/configuration.md is generated from it. */
interface Variable {
  /** Value when the deployment does not set the variable. */
  default: string;
  meaning: string;
}

/** Variables of the deployment with their defaults. Deployments set only other values, in wrangler.toml. */
export const VARIABLES = {
  ENVIRONMENT: {
    default: 'production',
    meaning: '`development` and `test` enable the header `X-Test-Now` and `RATE_LIMIT_MULTIPLIER`; any other value means production',
  },
  BASE_URL: {
    default: '',
    meaning:
      'public URL without a trailing slash, also in codex dumps from their next build; empty: the origin of the request (codex dumps: paths), and in production mails with links are not sent',
  },
  PORTAL_URL: { default: '', meaning: 'URL of the portal and of mod pages, without a trailing slash; empty: that of the API' },
  APP_NAME: { default: 'Game Data API', meaning: 'name of the service in mails and on pages' },
  TOKEN_PREFIX: {
    default: 'gda',
    meaning: 'prefix of every API token, `<prefix>_<43 characters>_<checksum>`: letters, digits and hyphens',
  },
  SECURITY_CONTACT: {
    default: 'mailto:security@example.com',
    meaning: 'contact in `/.well-known/security.txt`, `/docs/privacy` and `/docs/terms`',
  },
  REGION: {
    default: '',
    meaning:
      'location of the database, one of `wnam`, `enam`, `weur`, `eeur`, `apac`, `oc`: new Durable Objects that work with it are created there. Existing ones never move. Empty: they are created near the first request',
  },
  EVENTS_SHARDS: { default: '8', meaning: 'Durable Objects that share the streams' },
  EVENTS_MAX_CONNECTIONS_PER_SHARD: {
    default: '1000',
    meaning: 'maximum streams of one shard, up to 5,000; when all shards are full, new streams get 503',
  },
  EVENTS_REPLAY_DAYS: { default: '7', meaning: 'days for which missed events can be replayed' },
  RATE_LIMIT_MULTIPLIER: { default: '1', meaning: 'development and test only: scales every rate limit' },
  LOG_SAMPLE: {
    default: '',
    meaning:
      'share of requests with a structured log line, 0 to 1. Empty: 0.1, in development and test 1. Errors and responses with status 500 or above are always logged',
  },
  USAGE_DELAY_SECONDS: {
    default: '20',
    meaning:
      'pause of a token, at most 20, after which an isolate sends its usage records; 20 records are sent with the next request of the token. Empty: only with a request',
  },
  ADDRESS_OBJECTS: {
    default: '4',
    meaning:
      'Durable Objects in each data center that count the requests without a token, 1 to 99; one object takes about 1,000 requests per second',
  },
  MAIL_URL: {
    default: 'https://api.resend.com/emails',
    meaning:
      'mail provider; receives POST `{from, to, subject, text, html}`. Needs the secret `MAIL_API_KEY`; a `[[send_email]]` binding named `MAIL` replaces it',
  },
  MAIL_FROM: { default: 'Game Data API <no-reply@example.com>', meaning: 'sender of mails' },
  CAPTCHA_URL: {
    default: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    meaning: 'captcha of sign-up and sign-in (Turnstile)',
  },
  CAPTCHA_SITEKEY: {
    default: '',
    meaning: 'site key of the captcha; required in production together with `CAPTCHA_SECRET`',
  },
  BREACHED_PASSWORDS_URL: {
    default: 'https://api.pwnedpasswords.com/range/',
    meaning: "range API for breached passwords, queried with the first five digits of a password's hash; empty: passwords are not checked",
  },
  SECRET_SCANNING_KEYS_URL: {
    default: 'https://api.github.com/meta/public_keys/secret_scanning',
    meaning:
      'public keys of the partner that reports leaked tokens; register `<BASE_URL>/secret-scanning` with the partner. Empty: new keys are not read',
  },
  DNS_OVER_HTTPS_URL: {
    default: 'https://cloudflare-dns.com/dns-query',
    meaning:
      'DNS over HTTPS resolver (JSON API) that checks a host when a signed webhook is registered and before each request; empty: signed webhooks are not sent',
  },
  UPSTREAM_USER_AGENT: {
    default: 'game-data-api/1.0 (+https://example.com)',
    meaning: 'User-Agent of requests to external services',
  },
  NEWS_FEED_URL: { default: 'https://trovegame.com/feed', meaning: 'news feed; empty disables it' },
  NEWS_REFRESH_SECONDS: { default: '1800', meaning: 'refresh interval of news, at least 60' },
  COMMUNITY_EVENTS_URL: {
    default: 'https://trovesaurus.com/calendar/feed',
    meaning: 'calendar of community events; empty disables it',
  },
  COMMUNITY_EVENTS_REFRESH_SECONDS: { default: '900', meaning: 'refresh interval of community events, at least 60' },
  STREAMS_TOKEN_URL: {
    default: 'https://id.twitch.tv/oauth2/token',
    meaning: 'token endpoint of the streaming platform; needs the secrets `STREAMS_CLIENT_ID` and `STREAMS_CLIENT_SECRET`',
  },
  STREAMS_API_URL: {
    default: 'https://api.twitch.tv/helix/streams',
    meaning: 'streams endpoint of the streaming platform; empty disables the feed',
  },
  STREAMS_REFRESH_SECONDS: { default: '300', meaning: 'refresh interval of live streams, at least 60' },
  VIDEOS_A_API_BASE: {
    default: 'https://www.googleapis.com/youtube/v3',
    meaning: 'API of the video platform `videos-a`; needs the secret `VIDEOS_A_API_KEY`; empty disables the feed',
  },
  VIDEOS_A_REFRESH_SECONDS: {
    default: '1200',
    meaning: 'refresh interval of `videos-a`; an interval too short for the quota is extended',
  },
  VIDEOS_A_DAILY_QUOTA: { default: '10000', meaning: 'daily quota of the key of `videos-a`; a refresh costs 101 units' },
  VIDEOS_B_SEARCH_URL: {
    default: 'https://search.bilibili.com/all',
    meaning: 'search page of the video platform `videos-b`; empty disables the feed',
  },
  VIDEOS_B_REFRESH_SECONDS: { default: '600', meaning: 'refresh interval of `videos-b`, at least 60' },
  COMPANION_PRODUCT: {
    default: '',
    meaning: "product token in the companion app's User-Agent, as in `<token>/1.2.3`; empty: the app counts as its browser engine",
  },
  CLIENTAPP_REPO: {
    default: '',
    meaning: 'repository of the companion app, `<owner>/<name>`; empty: releases are not read',
  },
  CLIENTAPP_API_BASE: {
    default: 'https://api.github.com',
    meaning: "API of the repository; the optional secret `CLIENTAPP_API_TOKEN` raises GitHub's rate limit of 60 requests per hour",
  },
  CLIENTAPP_REFRESH_SECONDS: { default: '1800', meaning: 'refresh interval of releases, at least 60' },
  CHAOS_RELAY_REFRESH_SECONDS: {
    default: '1800',
    meaning: 'refresh interval of the community source of the chaos chest, whose URL is a run-time setting; at least 60',
  },
  MODS_MIRROR_URL: {
    default: 'https://trovesaurus.com',
    meaning: 'community catalog of mods; the run-time setting `mods_mirror_enabled` enables its mirror',
  },
  UPDATES_SOURCE_BASE: {
    default: 'http://trove-update.dyn.triongames.com',
    meaning:
      "the publisher's patch network, read by the archiver while the run-time setting `updates_archiver_enabled` is on; joined with `UPDATES_SOURCE_PREFIX` by `//`",
  },
  UPDATES_SOURCE_PREFIX: { default: '/kiwi-live-client-patch/', meaning: 'path of the game in the patch network' },
  UPDATES_PROBE_SECONDS: { default: '1200', meaning: 'interval in which the archiver looks for new builds, at least 60' },
  WEBHOOK_POST_BASE: {
    default: '',
    meaning: 'development and test only: replaces the hosts of the chat service; empty: the real hosts',
  },
  SIGNED_WEBHOOK_POST_BASE: {
    default: '',
    meaning: 'development and test only: receives the requests of signed webhooks, as `<base>/<host>/<path>`; empty: the real hosts',
  },
  BACKUP_PUBLIC_KEY: {
    default: '',
    meaning:
      'public key of `npm run backup -- keygen`, to which the nightly backup and the entries of changed tokens and deleted accounts are encrypted; empty: no backups are made',
  },
  ANALYTICS_URL: {
    default: 'https://api.cloudflare.com/client/v4/graphql',
    meaning:
      "GraphQL API of the platform's analytics, from which the bill on `/portal/admin` is computed; needs `ANALYTICS_ACCOUNT` and the secret `ANALYTICS_TOKEN`",
  },
  ANALYTICS_ACCOUNT: {
    default: '',
    meaning: 'id of the account whose usage is read; empty: the bill is an estimate from the counted requests',
  },
  DEMO_DATA: {
    default: '',
    meaning: 'development and test only: `on` marks the data as demo data, on pages and in `/health`; `npm start` sets it',
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** Optional secrets. Without its credentials an external service is `unconfigured`. */
export const SECRETS = {
  SESSION_SECRET: {
    meaning:
      'at least 32 characters; signs sessions and mail links. Sign-in fails without it. Generated for local use by `npm start` and `npx wrangler dev`',
  },
  TOKEN_KEY: {
    meaning:
      'at least 32 characters; creates and verifies the check characters of API tokens. Required in production: without it, requests with a token get 503. Development and test have a fixed key. `npm run token -- --remote` reads it from the environment',
  },
  TOKEN_KEY_PREVIOUS: {
    meaning: 'earlier values of `TOKEN_KEY`, separated by commas; keep each as long as a token created with it is in use',
  },
  TOKEN_CHECK: { meaning: '`off` accepts any check characters, after a key was lost' },
  WEBHOOK_SECRET: {
    meaning:
      'at least 32 characters; encrypts webhook URLs and the secrets of second factors; if absent, `SESSION_SECRET` does. After a change, deliveries wait until the old value is back or owners enter their webhook URLs again, and owners sign in with a recovery code',
  },
  CAPTCHA_SECRET: { meaning: 'secret key of the captcha; the site key is `CAPTCHA_SITEKEY`' },
  MAIL_API_KEY: { meaning: 'key of the mail provider; not needed with a `[[send_email]]` binding named `MAIL`' },
  SUPERUSER_EMAIL: {
    meaning:
      'address of the first superuser, created or promoted before the first sign-in or sign-up; sign-up with this address is refused. In production sign-up is closed until a superuser exists',
  },
  SUPERUSER_PASSWORD: {
    meaning: 'password of the first superuser, at least 8 characters. Does not change the password of a verified account',
  },
  STREAMS_CLIENT_ID: { meaning: 'client id of the streaming platform; its feed is empty without it' },
  STREAMS_CLIENT_SECRET: { meaning: 'client secret of the streaming platform; its feed is empty without it' },
  VIDEOS_A_API_KEY: { meaning: 'API key of the video platform `videos-a`; its feed is empty without it' },
  CLIENTAPP_API_TOKEN: { meaning: 'optional token for the list of releases of the companion app' },
  ANALYTICS_TOKEN: {
    meaning: 'API token with the single permission Account Analytics: Read; without it the bill is an estimate',
  },
  PASSWORD_COST: {
    meaning: 'development and test only: cost of new password hashes (N of scrypt, a power of two)',
  },
} as const satisfies Readonly<Record<string, Pick<Variable, 'meaning'>>>;

export type VariableName = keyof typeof VARIABLES;
export type SecretName = keyof typeof SECRETS;

/** Bindings, secrets and all variables of the deployment. */
export type ServiceEnv = Env & Readonly<Record<VariableName, string>>;

const DEFAULTS = Object.fromEntries(Object.entries(VARIABLES).map(([name, variable]) => [name, variable.default])) as Record<
  VariableName,
  string
>;

/** Adds the defaults of the variables that the deployment does not set. An empty value counts as set. */
export function withDefaults<Env extends object>(env: Env): Env & Record<VariableName, string> {
  return { ...DEFAULTS, ...env };
}
