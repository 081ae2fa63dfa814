/**
 * Secrets of the Worker, set with `wrangler secret put` or, locally, in `.dev.vars`. All are optional: without its
 * credentials a source is `unconfigured`. Not in wrangler.toml, so the generated types know nothing of them.
 */
interface OptionalSecrets {
  /** Client id of the streaming platform. */
  STREAMS_CLIENT_ID?: string;
  /** Its client secret. */
  STREAMS_CLIENT_SECRET?: string;
  /** API key of the first video platform. */
  VIDEOS_A_API_KEY?: string;
  /** Token for the release list of the companion app. */
  CLIENTAPP_API_TOKEN?: string;
}

interface Env extends OptionalSecrets {}

declare namespace Cloudflare {
  interface Env extends OptionalSecrets {}
}
