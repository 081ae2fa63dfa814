/** Common fields of run-time settings: stored key, group, and description. */
interface SettingBase {
  key: string;
  category: string;
  purpose: string;
  /** Masked when shown to an administrator. */
  secret?: boolean;
}

export interface ToggleSetting extends SettingBase {
  type: 'bool';
  default: boolean;
}
export interface NumberSetting extends SettingBase {
  type: 'int' | 'float';
  default: number;
  min: number;
  max: number;
}
export interface StringSetting extends SettingBase {
  type: 'str';
  default: string;
}
export interface ChoiceSetting<Choice extends string = string> extends SettingBase {
  type: 'str';
  default: Choice;
  /** Allowed values. */
  choices: readonly Choice[];
}
export type Setting = ToggleSetting | NumberSetting | StringSetting | ChoiceSetting;

export const toggle = (setting: Omit<ToggleSetting, 'type'>): ToggleSetting => ({ type: 'bool', ...setting });
export const integer = (setting: Omit<NumberSetting, 'type'>): NumberSetting => ({ type: 'int', ...setting });
export const decimal = (setting: Omit<NumberSetting, 'type'>): NumberSetting => ({ type: 'float', ...setting });
export const string = (setting: Omit<StringSetting, 'type'>): StringSetting => ({ type: 'str', ...setting });

/** A rate limit that superusers can change: its requests and its window in seconds. */
interface RateLimitSettings {
  /** Start of both keys. */
  key: string;
  category: string;
  requests: NumberBounds;
  windowSeconds: NumberBounds;
}

type NumberBounds = Pick<NumberSetting, 'default' | 'min' | 'max' | 'purpose'>;

/** The two settings of a rate limit, `<name>Max` and `<name>WindowSeconds`. `rateLimitOf` reads them. */
export function rateLimitSettings<const Name extends string>(
  name: Name,
  { key, category, requests, windowSeconds }: RateLimitSettings,
): Readonly<Record<`${Name}Max` | `${Name}WindowSeconds`, NumberSetting>> {
  const settings = {
    [`${name}Max`]: integer({ key: `${key}_max`, category, ...requests }),
    [`${name}WindowSeconds`]: integer({ key: `${key}_window_seconds`, category, ...windowSeconds }),
  };
  return settings as Record<`${Name}Max` | `${Name}WindowSeconds`, NumberSetting>;
}

export const choice = <const Choice extends string>(setting: Omit<ChoiceSetting<Choice>, 'type'>): ChoiceSetting<Choice> => ({
  type: 'str',
  ...setting,
});

/**
 * Run-time settings by their name in code; `key` is the name in the database and in the admin API. Windows and periods are in
 * seconds. Superusers can change them.
 */
export type SettingDeclarations = Readonly<Record<string, Setting>>;

/** Maximum length of a string setting, in characters. */
export const MAX_STRING_SETTING = 4000;

/** The settings of the platform. */
export const platformSettings = {
  // api rate limits
  ...rateLimitSettings('apiRateLimit', {
    key: 'api_rate_limit',
    category: 'api_rate_limits',
    requests: { default: 120, min: 1, max: 100000, purpose: 'requests per token and window' },
    windowSeconds: { default: 60, min: 10, max: 86400, purpose: 'window of token requests' },
  }),
  ...rateLimitSettings('publicAnonRateLimit', {
    key: 'public_anon_rate_limit',
    category: 'api_rate_limits',
    requests: { default: 30, min: 1, max: 100000, purpose: 'anonymous requests per IP address and window' },
    windowSeconds: { default: 60, min: 10, max: 86400, purpose: 'window of anonymous requests' },
  }),

  shedAnonymousRequests: toggle({
    key: 'shed_anonymous_requests',
    default: false,
    category: 'api_rate_limits',
    purpose:
      'whether API requests without a token that grants access get 429 before they are counted: saves Durable Objects and D1, not the request, which only a rule in front of the service saves',
  }),

  imagesRateLimitMultiplier: integer({
    key: 'images_rate_limit_multiplier',
    default: 4,
    min: 2,
    max: 100,
    category: 'api_rate_limits',
    purpose: 'factor of the rate limits of badges and cards',
  }),

  // auth rate limits
  ...rateLimitSettings('sessionRateLimit', {
    key: 'session_rate_limit',
    category: 'auth_rate_limits',
    requests: { default: 120, min: 10, max: 10000, purpose: 'portal requests per account and window' },
    windowSeconds: { default: 60, min: 10, max: 3600, purpose: 'window of portal requests' },
  }),

  // ingest cooldown
  ...rateLimitSettings('ingestCooldown', {
    key: 'ingest_cooldown',
    category: 'ingest_cooldown',
    requests: { default: 1, min: 1, max: 1000, purpose: 'inserts per token, endpoint and window' },
    windowSeconds: { default: 300, min: 10, max: 86400, purpose: 'window of inserts' },
  }),

  // rate limit alerts
  rateLimitAlertThreshold: integer({
    key: 'rate_limit_alert_threshold',
    default: 20,
    min: 1,
    max: 10000,
    category: 'rate_limit_alerts',
    purpose: 'minimum number of 429 responses for a digest mail',
  }),
  rateLimitDigestWindowHours: integer({
    key: 'rate_limit_digest_window_hours',
    default: 24,
    min: 1,
    max: 168,
    category: 'rate_limit_alerts',
    purpose: 'hours that the digest covers',
  }),

  // client libraries
  clientsPublished: toggle({
    key: 'clients_published',
    default: false,
    category: 'client_libraries',
    purpose: 'whether the npm and Python registries have the client libraries; pages then show how to install them from there',
  }),
} satisfies SettingDeclarations;

/** The values of declared settings: one typed property each. */
export type SettingValues<Declarations extends SettingDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name]['default'];
};

/** The current settings. Each area adds its settings by declaration merging. */
export interface Settings extends SettingValues<typeof platformSettings> {}

export type SettingName = keyof Settings;

/** Names that `rateLimitSettings` declares. */
type RateLimitName = {
  [Name in SettingName]: Name extends `${infer Limit}WindowSeconds` ? (`${Limit}Max` extends SettingName ? Limit : never) : never;
}[SettingName];

/** Reads the rate limit that `rateLimitSettings` declares under a name. */
export const rateLimitOf =
  (name: RateLimitName) =>
  (settings: Settings): { limit: number; windowSeconds: number } => ({
    limit: settings[`${name}Max`],
    windowSeconds: settings[`${name}WindowSeconds`],
  });

/** Names of the settings that enable or disable a feature. */
export type FeatureName = { [Name in SettingName]: Name extends `feature${string}Enabled` ? Name : never }[SettingName];
