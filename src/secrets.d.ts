/**
 * Secrets and bindings of the Worker that need not be there. Secrets are set with `wrangler secret put` or, locally, in `.dev.vars`. All are optional: without its
 * credentials a source is `unconfigured`. Not in wrangler.toml, so the generated types know nothing of them.
 */
interface OptionalSecrets {
  /** Signs the portal's sessions and e-mail links: 32 characters or more. Without it nobody can sign in. */
  SESSION_SECRET?: string;
  /**
   * Encrypts the addresses of chat webhooks: 32 characters or more; absent: SESSION_SECRET does. Once it changes, every webhook has to be given its
   * address again.
   */
  WEBHOOK_SECRET?: string;
  /** Secret key of the captcha of sign-up and sign-in; its site key is CAPTCHA_SITEKEY. */
  CAPTCHA_SECRET?: string;
  /** API key of the mail provider. */
  MAIL_API_KEY?: string;
  /** Development and test alone: cost of new password hashes (N of scrypt, a power of two); tests hash many. */
  PASSWORD_COST?: string;
  /** The first superuser, created or promoted before the first sign-in or sign-up. Absent in production: sign-up is closed until one exists. */
  SUPERUSER_EMAIL?: string;
  /** Its password: 8 characters or more. A verified account keeps its own. */
  SUPERUSER_PASSWORD?: string;
  /** The platform's own mail, where it is bound; it then takes the place of the provider. */
  MAIL?: SendEmail;
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
