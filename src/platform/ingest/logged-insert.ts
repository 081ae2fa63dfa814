import type { Caller } from '../access/access-control.ts';
import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import type { IngestLog } from './ingest-log.ts';

/** Runs an insert and writes down what came of it; `summaryOf` says in one line what was taken in. */
export type LoggedInsert = <Result>(
  who: { caller: Caller; now: UnixSeconds },
  work: () => Promise<Result>,
  summaryOf: (result: Result) => string,
) => Promise<Result>;

/** For the insert of this name. A log that cannot be written fails no insert. */
export function loggedInsert(log: IngestLog, endpoint: string): LoggedInsert {
  return async ({ caller, now }, work, summaryOf) => {
    const userId = 'userId' in caller ? caller.userId : null;
    const tokenId = 'tokenId' in caller ? caller.tokenId : null;
    const record = (summary: string | null, error: string | null) =>
      log
        .record({ endpoint, now, userId, tokenId, summary, error })
        .catch((failure: unknown) => logError('an insert was not logged', failure, { endpoint }));
    try {
      const result = await work();
      await record(summaryOf(result), null);
      return result;
    } catch (error) {
      await record(null, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}
