import type { Job } from '../../durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';
import type { Mailer } from './mailer.ts';

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
