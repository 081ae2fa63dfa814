import { randomUUID } from 'node:crypto';
import { resolveTxt } from 'node:dns/promises';
import { withDefaults } from '../../src/platform/settings/variables.data.ts';
import { createHttpTransport } from '../../src/platform/upstream/mail/mail-transport.ts';
import { createUpstreamClient } from '../../src/platform/upstream/upstream-client.ts';
import { UserError } from '../lib/main.ts';
import { readSecretsFile } from '../lib/secrets-file.ts';

type LookUp = (name: string) => Promise<string[][]>;

interface TestMail {
  /** Variables of the environment. */
  vars: Readonly<Record<string, unknown>>;
  /** The environment has a binding of the platform's mail service. */
  hasBinding: boolean;
  /** `NAME=value` lines or JSON with MAIL_API_KEY; null: the key comes from `env`. */
  secretsFile: string | null;
  to: string;
  env?: Readonly<Record<string, string | undefined>>;
  lookUp?: LookUp;
  log?(line: string): void;
}

/**
 * Sends a mail the way the service does, and looks up the records by which the receivers' servers trust the sender. Throws UserError with
 * the reason when the provider does not take it.
 */
export async function sendTestMail(options: TestMail): Promise<void> {
  const { hasBinding, to, env = process.env, lookUp = resolveTxt, log = console.log } = options;
  const { MAIL_FROM = '', MAIL_URL = '', APP_NAME = '', UPSTREAM_USER_AGENT = '' } = withDefaults(options.vars);
  const domain = /@([^@\s>]+)>?$/.exec(MAIL_FROM)?.[1];
  if (domain === undefined) throw new UserError(`MAIL_FROM has no address: "${MAIL_FROM}"`);
  for (const line of await senderFindings(domain, lookUp)) log(line);
  if (hasBinding)
    throw new UserError('Mails go through the binding MAIL, which only the service has: sign up with an address of yours instead.');
  const apiKey = keyIn(options.secretsFile, env);
  const upstream = createUpstreamClient({
    userAgent: UPSTREAM_USER_AGENT,
    states: { find: async () => null, save: async () => {} },
    random: Math.random,
  });
  const send = createHttpTransport(upstream, { url: MAIL_URL, apiKey, from: MAIL_FROM });
  const mail = { to, subject: `${APP_NAME}: test mail`, text: 'This mail was sent to test the configuration. Nothing needs to be done.' };
  const outcome = await send(mail, randomUUID(), undefined);
  if (outcome.kind !== 'done') throw new UserError(`The provider did not take the mail: ${outcome.reason}`);
  log(
    `The provider took a mail from ${MAIL_FROM} to ${to}. If it does not arrive, or as spam, compare the records above with those the provider asks for.`,
  );
}

function keyIn(secretsFile: string | null, env: Readonly<Record<string, string | undefined>>): string {
  const secrets = secretsFile === null ? {} : readSecretsFile(secretsFile);
  const key = secrets.MAIL_API_KEY ?? env.MAIL_API_KEY;
  if (!key) throw new UserError('A stored secret cannot be read back: give MAIL_API_KEY in --secrets-file or in the environment.');
  return key;
}

/** What the domain of the sender publishes: SPF (RFC 7208) and DMARC (RFC 7489). The name of a DKIM record is the provider's choice. */
async function senderFindings(domain: string, lookUp: LookUp): Promise<string[]> {
  const textsOf = async (name: string) => (await lookUp(name).catch(() => [])).map((parts) => parts.join(''));
  const [spf, dmarc] = [
    (await textsOf(domain)).filter((text) => /^v=spf1( |$)/i.test(text)),
    (await textsOf(`_dmarc.${domain}`)).filter((text) => /^v=DMARC1/i.test(text)),
  ];
  const shown = (what: string, name: string, found: string[], missing: string) => {
    if (found.length > 1) return `  STOP  ${what}: ${name} has ${found.length} records, only one is allowed`;
    return found[0] === undefined ? `  note  ${what}: ${missing}` : `  ok    ${what}: ${found[0]}`;
  };
  return [
    shown('SPF', domain, spf, `${domain} has no record; many providers use a subdomain of theirs for it`),
    shown('DMARC', `_dmarc.${domain}`, dmarc, `_dmarc.${domain} has no record: receivers may treat mails as spam`),
    '  note  DKIM: its records have names that the provider tells; they were not looked up',
  ];
}
