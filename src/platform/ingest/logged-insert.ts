import type { Caller } from '../access/policy/access-control.ts';
import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import type { IngestLog } from './ingest-log.ts';

/**
 * Runs an insert and logs its result. `summaryOf` describes the imported data in one line; null when other code logs the success.
 */
export type LoggedInsert = <Result>(
  context: { caller: Caller; now: UnixSeconds },
  work: () => Promise<Result>,
  summaryOf: (result: Result) => string | null,
) => Promise<Result>;

/** Account and token of the client of an insert, for the log. */
export function senderOf(caller: Caller): { userId: string | null; tokenId: string | null } {
  return { userId: 'userId' in caller ? caller.userId : null, tokenId: 'tokenId' in caller ? caller.tokenId : null };
}

/** Creates the logger of the insert with this name. A failed write to the log does not fail the insert. */
export function loggedInsert(log: IngestLog, endpoint: string): LoggedInsert {
  return async ({ caller, now }, work, summaryOf) => {
    const record = (summary: string | null, error: string | null) =>
      log
        .record({ endpoint, now, ...senderOf(caller), summary, error })
        .catch((failure: unknown) => logError('insert was not logged', failure, { endpoint }));
    try {
      const result = await work();
      const summary = summaryOf(result);
      if (summary !== null) await record(summary, null);
      return result;
    } catch (error) {
      await record(null, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
