import { createHash } from 'node:crypto';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { isWorst } from './worst-passwords.data.ts';

/** Lookup of passwords in known data breaches. */
export type BreachedPasswords = ReturnType<typeof createBreachedPasswords>;

const SOURCE = 'breached-passwords';
const PREFIX_LENGTH = 5;
const TIMEOUT_SECONDS = 5;
const MAX_RESPONSE_BYTES = 512 * 1024;

/**
 * k-anonymity lookup: sends the first five hex digits of the hash and searches the response for the others. `Add-Padding` hides the number
 * of results; padding rows have count 0. An empty `url` disables the lookup and leaves the built-in list.
 */
export function createBreachedPasswords(upstream: UpstreamClient, url: string) {
  /** Number of occurrences of the password in known breaches. */
  async function countBreaches(hash: string): Promise<number> {
    const response = await upstream.fetch({
      source: SOURCE,
      url: `${url.replace(/\/$/, '')}/${hash.slice(0, PREFIX_LENGTH)}`,
      headers: { 'Add-Padding': 'true' },
      timeoutSeconds: TIMEOUT_SECONDS,
      maxBytes: MAX_RESPONSE_BYTES,
      attempts: 1,
      circuit: false,
    });
    const hashSuffix = hash.slice(PREFIX_LENGTH);
    const line = response
      .text()
      .split(/\s+/)
      .find((text) => text.slice(0, hashSuffix.length).toUpperCase() === hashSuffix);
    return Math.max(0, Number.parseInt(line?.split(':')[1] ?? '', 10) || 0);
  }

  return {
    /** Throws 400 `password_breached` for a known password. When the lookup fails, a built-in list refuses the worst ones. */
    async requireNotBreached(password: string): Promise<void> {
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
      const breachCount =
        url === ''
          ? null
          : await countBreaches(hash).catch((error: unknown) => {
              logError('breached-password lookup failed', error);
              return null;
            });
      if (breachCount === 0 || (breachCount === null && !isWorst(password))) return;
      throw new ApiError('password_breached', 'password is known from a data breach; choose another one', {
        ...(breachCount === null ? {} : { details: { breach_count: breachCount } }),
      });
    },
  };
}
