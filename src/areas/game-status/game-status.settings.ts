import { decimal, integer, type SettingDeclarations, type SettingValues, string, toggle } from '../../platform/settings/settings.data.ts';

export const gameStatusSettings = {
  // features
  featureServerStatusEnabled: toggle({
    key: 'feature_server_status_enabled',
    default: true,
    category: 'features',
    purpose: 'off: both game-status endpoints return 404; probing continues',
  }),

  // game status
  gameStatusAuthUrl: string({
    key: 'game_status_auth_url',
    default: 'https://auth.trionworlds.com/auth/v1_2',
    category: 'game_status',
    purpose: 'URL of the authentication check',
  }),
  gameStatusProbeIntervalSeconds: integer({
    key: 'game_status_probe_interval_seconds',
    default: 60,
    min: 60,
    max: 3600,
    category: 'game_status',
    purpose: 'time between probe rounds',
  }),
  gameStatusTimeoutSeconds: decimal({
    key: 'game_status_timeout_seconds',
    default: 8.0,
    min: 1.0,
    max: 20.0,
    category: 'game_status',
    purpose: 'timeout per attempt',
  }),
  gameStatusAnchors: string({
    key: 'game_status_anchors',
    default: 'dns.quad9.net:443,dns.google:443',
    category: 'game_status',
    purpose:
      'comma-separated host:port of unrelated servers outside Cloudflare; when a probe fails and none of them responds, the prober itself is offline and the round is not recorded; empty = every round is recorded',
  }),
  gameStatusResolverUrl: string({
    key: 'game_status_resolver_url',
    default: 'https://cloudflare-dns.com/dns-query',
    category: 'game_status',
    purpose: 'DNS over HTTPS (JSON) that distinguishes unresolvable names from refused connections; empty = not distinguished',
  }),
  gameStatusEuHost: string({
    key: 'game_status_eu_host',
    default: 'ams-c12-b05.ams.triongames.com',
    category: 'game_status',
    purpose: 'eu host of the TCP probe; empty = no game probe',
  }),
  gameStatusEuPort: integer({
    key: 'game_status_eu_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusEuHelloHex: string({
    key: 'game_status_eu_hello_hex',
    default: '20000000003df232536bcb1518164c4685392572b843d0bcbb71be7c06bb098626e23accfb',
    category: 'game_status',
    purpose: 'client hello; non-empty enables the deep probe of this environment; sent only when the random opener is off',
  }),
  gameStatusUsHost: string({
    key: 'game_status_us_host',
    default: 'dal-c35-b05.dal.triongames.com',
    category: 'game_status',
    purpose: 'us host of the TCP probe; empty = no game probe',
  }),
  gameStatusUsPort: integer({
    key: 'game_status_us_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusUsHelloHex: string({
    key: 'game_status_us_hello_hex',
    default: '20000000003df232536bcb1518164c4685392572b843d0bcbb71be7c06bb098626e23accfb',
    category: 'game_status',
    purpose: 'client hello; non-empty enables the deep probe of this environment; sent only when the random opener is off',
  }),
  gameStatusPtsHost: string({
    key: 'game_status_pts_host',
    default: 'auth-pcpts01.trovegame.com',
    category: 'game_status',
    purpose: 'pts host of the TCP probe; empty = no game probe',
  }),
  gameStatusPtsPort: integer({
    key: 'game_status_pts_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusPtsHelloHex: string({
    key: 'game_status_pts_hello_hex',
    default: '',
    category: 'game_status',
    purpose: 'client hello; non-empty enables the deep probe of this environment; sent only when the random opener is off',
  }),
  gameStatusGameDeepProbe: toggle({
    key: 'game_status_game_deep_probe',
    default: true,
    category: 'game_status',
    purpose: 'off = a successful connection counts as online',
  }),
  gameStatusGameRandomOpener: toggle({
    key: 'game_status_game_random_opener',
    default: true,
    category: 'game_status',
    purpose: 'send a random 32-byte key in the opener instead of the stored bytes, which go stale',
  }),
  gameStatusGameHoldSeconds: decimal({
    key: 'game_status_game_hold_seconds',
    default: 1.5,
    min: 0.2,
    max: 10.0,
    category: 'game_status',
    purpose: 'time the socket must stay open after the hello',
  }),
  gameStatusProbeAttempts: integer({
    key: 'game_status_probe_attempts',
    default: 3,
    min: 1,
    max: 10,
    category: 'game_status',
    purpose: 'immediate attempts per probe; online if any succeeds',
  }),
  gameStatusProbeRetryDelaySeconds: decimal({
    key: 'game_status_probe_retry_delay_seconds',
    default: 2.0,
    min: 0.0,
    max: 30.0,
    category: 'game_status',
    purpose: 'delay between attempts',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof gameStatusSettings> {}
}
