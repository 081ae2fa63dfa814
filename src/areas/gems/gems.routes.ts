import { tokenAccess } from '../../platform/access/policy/policy.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';

/** Cache TTL of tables in seconds. Tables change only with deployments; the TTL limits the delay of a correction. */
export const TABLE_MAX_AGE = SECONDS_PER_HOUR;

/** Declaration of a table. */
export const table = { method: 'get', tag: 'Gems', access: tokenAccess('gems:read') } as const;

/** Declaration of a calculator. The body may have ten times the size of the largest possible gem, or a star chart code of 30,000 tokens. */
export const calculator = {
  ...table,
  method: 'post',
  isStateless: true,
  bodyLimit: 256 * 1024,
  errors: ['bad_request'],
} as const;
