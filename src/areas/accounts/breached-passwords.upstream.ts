import { createHash } from 'node:crypto';
import { badRequest } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';

/** Passwords known from breaches of other services. */
export interface BreachedPasswords {
  /** Throws 400 for a password that is known; one of which that cannot be told is accepted. */
  requireUnknown(password: string): Promise<void>;
}

const SOURCE = 'breached-passwords';
const PREFIX_LENGTH = 5;
const TIMEOUT_SECONDS = 5;
const MAX_ANSWER_BYTES = 512 * 1024;

/**
 * Asks by the first five digits of the hash and looks for the rest in what comes back, so that nobody learns the password.
 * `Add-Padding` hides from onlookers how many there are; padding has the count 0. An empty `url` asks nobody.
 */
export function createBreachedPasswords(upstream: UpstreamClient, url: string): BreachedPasswords {
  async function ask(hash: string): Promise<boolean> {
    const answer = await upstream.fetch({
      source: SOURCE,
      url: `${url.replace(/\/$/, '')}/${hash.slice(0, PREFIX_LENGTH)}`,
      headers: { 'Add-Padding': 'true' },
      timeoutSeconds: TIMEOUT_SECONDS,
      maxBytes: MAX_ANSWER_BYTES,
      attempts: 1,
      circuit: false,
    });
    const rest = hash.slice(PREFIX_LENGTH);
    return answer
      .text()
      .split('\n')
      .some((line) => {
        const [suffix, count] = line.trim().split(':');
        return suffix?.toUpperCase() === rest && Number(count) > 0;
      });
  }

  return {
    async requireUnknown(password) {
      if (url === '') return;
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
      const isKnown = await ask(hash).catch((error: unknown) => {
        logError('breached passwords could not be asked', error);
        return false;
      });
      if (isKnown) throw badRequest('this password is known from a breach of another service; choose another one');
    },
  };
}
