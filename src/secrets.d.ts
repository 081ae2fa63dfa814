/** Variables and secrets, which are declared in src/platform/settings/variables.data.ts. Raw: `withDefaults` adds the default values. */
interface DeclaredVariables
  extends Partial<
    Record<
      import('./platform/settings/variables.data.ts').VariableName | import('./platform/settings/variables.data.ts').SecretName,
      string
    >
  > {
  /** Email binding of the platform. Replaces the mail provider. */
  MAIL?: SendEmail;
}

interface Env extends DeclaredVariables {}

declare namespace Cloudflare {
  interface Env extends DeclaredVariables {}
}
