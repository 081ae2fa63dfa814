import type { Outbox } from '../../durable/outbox.ts';
import type { Job } from '../../durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';
import { readEnvironment } from '../../settings/environment.ts';
import type { ServiceEnv } from '../../settings/variables.data.ts';
import type { Database } from '../../storage/database.ts';
import type { UpstreamClient } from '../upstream-client.ts';
import { createMailStore } from './mail.store.ts';
import { createBindingTransport, createHttpTransport, type MailTransport } from './mail-transport.ts';
import { createMailer, type Mailer } from './mailer.ts';

type MailEnv = Pick<ServiceEnv, 'ENVIRONMENT' | 'APP_NAME' | 'MAIL_URL' | 'MAIL_FROM'> & Partial<Pick<ServiceEnv, 'MAIL_API_KEY' | 'MAIL'>>;

/** Creates the mailer. Transport: Cloudflare Email Service if bound, else an HTTP provider if `MAIL_API_KEY` is set, else none. */
export function composeMailer(env: MailEnv, db: Database, outbox: Outbox, upstream: UpstreamClient): Mailer {
  return createMailer({
    repository: createMailStore(db),
    outbox,
    transport: transportOf(env, upstream),
    isNonProduction: readEnvironment(env).isNonProduction,
    appName: env.APP_NAME,
    newId: () => crypto.randomUUID(),
  });
}

function transportOf({ MAIL, MAIL_URL, MAIL_API_KEY, MAIL_FROM }: MailEnv, upstream: UpstreamClient): MailTransport | null {
  if (MAIL) return createBindingTransport(MAIL, MAIL_FROM);
  return MAIL_API_KEY && MAIL_URL ? createHttpTransport(upstream, { url: MAIL_URL, apiKey: MAIL_API_KEY, from: MAIL_FROM }) : null;
}

const SEND_TIMEOUT_SECONDS = 120;
const DELETE_TIMEOUT_SECONDS = 60;

/** Jobs that send due mail and delete expired mail. */
export function mailJobs(mailer: Mailer): Job[] {
  return [
    {
      name: 'mail',
      schedule: { everySeconds: SECONDS_PER_MINUTE },
      timeoutSeconds: SEND_TIMEOUT_SECONDS,
      availability: () => (mailer.isConfigured ? 'enabled' : 'unconfigured'),
      run: ({ now, signal }) => mailer.sendDue(now, signal),
    },
    {
      name: 'mail-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: DELETE_TIMEOUT_SECONDS,
      run: ({ now }) => mailer.deleteExpired(now),
    },
  ];
}
