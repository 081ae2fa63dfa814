import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Probed environments of the game, in display order. */
export const ENVIRONMENTS = namedValues('GameEnvironment', 'Environment of the game.', ['eu', 'us', 'pts']);
export type Environment = (typeof ENVIRONMENTS)[number];

/** Environments of the overall status; the test environment is not included. */
export const PUBLIC_REGIONS = ['eu', 'us'] as const satisfies readonly Environment[];

export const STATUSES = namedValues('GameStatusName', 'Status of a game server.', ['online', 'maintenance', 'down', 'unknown']);
export type Status = (typeof STATUSES)[number];

/** First bytes of a connection: a header and 32 random bytes. */
export const OPENER_HEADER: readonly number[] = [0x20, 0, 0, 0, 0];
export const OPENER_KEY_LENGTH = 32;

/**
 * A server under maintenance closes the connection within 0.1 s after about 39 bytes. More than `DROPPED_MAX_BYTES` is not a maintenance
 * response; after `ONLINE_MIN_BYTES` the server counts as online.
 */
export const DROPPED_MAX_BYTES = 256;
export const ONLINE_MIN_BYTES = 32_768;

export const ANCHOR_TIMEOUT_SECONDS = 4;
/** Timeout of a DNS lookup. */
export const LOOKUP_TIMEOUT_SECONDS = 4;

/** Probe intervals without a probe after which the history has a gap. */
export const MAX_MISSED_INTERVALS = 5;
