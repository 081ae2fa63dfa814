import type { Caller } from '../access/policy/access-control.ts';
import { ApiError } from '../errors/api-error.ts';
import { INGEST_ID } from '../http/replies/headers.ts';
import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import type { IngestLog, IngestReport } from './ingest-log.ts';

/** Result of an insert for the log. Without a report: one record, which is stored. */
export interface InsertOutcome extends Partial<IngestReport> {
  /** The imported data in one line. */
  summary: string;
}

/** A result with the response headers that name its receipt. */
export interface Receipted<Result> {
  result: Result;
  headers: { readonly [INGEST_ID]: string };
}

/**
 * Runs an insert and logs its result. `outcomeOf` describes the imported data; null when other code logs the result later, under the id of
 * the receipt. An `ApiError` gets the header of the receipt.
 */
export type LoggedInsert = <Result>(
  context: { caller: Caller; now: UnixSeconds },
  work: (receiptId: string) => Promise<Result>,
  outcomeOf: (result: Result) => InsertOutcome | null,
) => Promise<Receipted<Result>>;

/** Account and token of the client of an insert, for the log. */
export function senderOf(caller: Caller): { userId: string | null; tokenId: string | null } {
  return { userId: 'userId' in caller ? caller.userId : null, tokenId: 'tokenId' in caller ? caller.tokenId : null };
}

const ONE_RECORD = { received: 1, accepted: 1, ignored: 0, rejected: 0 };

/** Creates the logger of the insert with this name. A failed write to the log does not fail the insert. */
export function loggedInsert(log: Pick<IngestLog, 'record' | 'receive'>, endpoint: string): LoggedInsert {
  const safely = (write: Promise<void>) => write.catch((failure: unknown) => logError('insert was not logged', failure, { endpoint }));

  return async ({ caller, now }, work, outcomeOf) => {
    const receiptId = crypto.randomUUID();
    const headers = { [INGEST_ID]: receiptId };
    const entry = { endpoint, now, receiptId, ...senderOf(caller) };
    try {
      const result = await work(receiptId);
      const outcome = outcomeOf(result);
      const { summary = null, counts = ONE_RECORD, problems = [] } = outcome ?? {};
      await safely(outcome === null ? log.receive(entry) : log.record({ ...entry, summary, counts, problems, error: null }));
      return { result, headers };
    } catch (error) {
      await safely(log.record({ ...entry, summary: null, error: error instanceof Error ? error.message : String(error) }));
      throw error instanceof ApiError ? Object.assign(error, { headers: { ...error.headers, ...headers } }) : error;
    }
  };
}
