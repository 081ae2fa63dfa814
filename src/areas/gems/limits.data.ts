import { SECONDS_PER_HOUR } from '../../platform/time/clock.ts';

/** Longest life of a table in a cache, in seconds: they change with deployments only, but a corrected figure must get through. */
export const TABLE_MAX_AGE = SECONDS_PER_HOUR;

/** Largest body of a calculator, in bytes: ten times what a gem full of everything takes, or a star chart code of 30,000 tokens. */
export const CALCULATOR_BODY_LIMIT = 256 * 1024;
