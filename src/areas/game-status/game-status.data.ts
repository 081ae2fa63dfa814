import { namedValues } from '../../platform/values/named-values.ts';

/** Environments of the game that are probed, in the order they are shown. */
export const ENVIRONMENTS = namedValues('GameEnvironment', 'Environment of the game.', ['eu', 'us', 'pts']);
export type Environment = (typeof ENVIRONMENTS)[number];

/** Those that make up the overall status: the test environment never counts. */
export const PUBLIC_REGIONS = ['eu', 'us'] as const satisfies readonly Environment[];

export const STATUSES = namedValues('GameStatusName', 'Status of a game server.', ['online', 'maintenance', 'down', 'unknown']);
export type Status = (typeof STATUSES)[number];

/** First bytes of a connection: a header, then 32 bytes which the game's client draws anew each time. */
export const OPENER_HEADER: readonly number[] = [0x20, 0, 0, 0, 0];
export const OPENER_KEY_LENGTH = 32;

/**
 * A server under maintenance closes within a tenth of a second, having sent some 39 bytes. Beyond the first figure it was a
 * conversation, and beyond the second nobody needs to read on.
 */
export const DROPPED_MAX_BYTES = 256;
export const ENOUGH_BYTES = 32_768;

export const ANCHOR_TIMEOUT_SECONDS = 4;
/** Of a question to the resolver. */
export const LOOKUP_TIMEOUT_SECONDS = 4;

/** A prober that was silent for longer than so many intervals leaves a hole in the history. */
export const SILENT_INTERVALS = 5;
