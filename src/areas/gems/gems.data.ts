import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';

/** Cache TTL of tables in seconds. Tables change only with deployments; the TTL limits the delay of a correction. */
export const TABLE_MAX_AGE = SECONDS_PER_HOUR;

/** Maximum request body in bytes: ten times the largest possible gem, or a star chart code of 30,000 tokens. */
export const CALCULATOR_BODY_LIMIT = 256 * 1024;
