/**
 * Optional secrets and bindings of the Worker, set with `wrangler secret put` or, locally, in `.dev.vars`. Without its credentials a
 * source is `unconfigured`. They are not in wrangler.toml, so the generated types do not contain them.
 */
interface OptionalSecrets {
  /** Signs sessions and links in emails. At least 32 characters. Without it sign-in is not possible. */
  SESSION_SECRET?: string;
  /**
   * Encrypts the URLs of Discord webhooks. At least 32 characters. Default: SESSION_SECRET. After a change, the URL of every webhook must
   * be entered again.
   */
  WEBHOOK_SECRET?: string;
  /** Secret key of the captcha of sign-up and sign-in. The site key is CAPTCHA_SITEKEY. */
  CAPTCHA_SECRET?: string;
  /** API key of the mail provider. */
  MAIL_API_KEY?: string;
  /** Cost of new password hashes (N of scrypt, a power of two). Only for development and tests, which hash many passwords. */
  PASSWORD_COST?: string;
  /**
   * Email address of the first superuser, who is created or promoted before the first sign-in or sign-up. If it is absent in production,
   * sign-up is closed until a superuser exists.
   */
  SUPERUSER_EMAIL?: string;
  /** Password of the first superuser. At least 8 characters. Does not change the password of a verified account. */
  SUPERUSER_PASSWORD?: string;
  /** Email binding of the platform. Replaces the mail provider. */
  MAIL?: SendEmail;
  /** Client id of the streaming platform. */
  STREAMS_CLIENT_ID?: string;
  /** Client secret of the streaming platform. */
  STREAMS_CLIENT_SECRET?: string;
  /** API key of the YouTube-style video platform (videos-a). */
  VIDEOS_A_API_KEY?: string;
  /** Token for the list of releases of the companion app. */
  CLIENTAPP_API_TOKEN?: string;
}

interface Env extends OptionalSecrets {}

declare namespace Cloudflare {
  interface Env extends OptionalSecrets {}
}
