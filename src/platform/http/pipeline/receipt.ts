import type { Caller } from '../../access/policy/admission.ts';
import { ApiError } from '../../kit/errors/api-error.ts';
import { logError } from '../../kit/logging.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { IngestLog, IngestReport } from '../ingest/ingest-log.ts';
import { INGEST_ID } from '../replies/headers.ts';
import type { Reply } from '../replies/reply.ts';

/** Result of an insert for the log. Without a report: one record, which is stored. */
export interface InsertOutcome extends Partial<IngestReport> {
  /** The imported data in one line. */
  summary: string;
}

/** The receipt of an insert (`log` of its route). */
export interface Receipt {
  id: string;
  /** Stores the receipt of data that other code processes and logs later, under its id. The route then logs only an error. */
  open(): Promise<void>;
}

/** The receipt of a request that inserts nothing. */
export const NO_RECEIPT: Receipt = {
  id: '',
  open() {
    throw new TypeError('the route declares no log');
  },
};

/** Account and token of the client of an insert, for the log. */
export function senderOf(caller: Caller): { userId: string | null; tokenId: string | null } {
  return { userId: 'userId' in caller ? caller.userId : null, tokenId: 'tokenId' in caller ? caller.tokenId : null };
}

const ONE_RECORD = { received: 1, accepted: 1, ignored: 0, rejected: 0 };

/**
 * Runs the handler of an insert and logs the outcome of its reply, or its error. Reply and `ApiError` get the header that names the
 * receipt. A failed write to the log does not fail the insert.
 */
export async function runLogged(
  log: Pick<IngestLog, 'record' | 'receive'>,
  { endpoint, caller, now }: { endpoint: string; caller: Caller; now: UnixSeconds },
  handler: (receipt: Receipt) => Reply<unknown> | Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  const id = crypto.randomUUID();
  const entry = { endpoint, now, receiptId: id, ...senderOf(caller) };
  const safely = (write: Promise<void>) => write.catch((failure: unknown) => logError('insert was not logged', failure, { endpoint }));
  const withReceipt = (headers: Readonly<Record<string, string>> | undefined) => ({ ...headers, [INGEST_ID]: id });
  try {
    const reply = await handler({
      id,
      open: () => safely(log.receive(entry)),
    });
    const outcome = reply.kind === 'json' ? reply.outcome : undefined;
    if (outcome) {
      const { summary, counts = ONE_RECORD, problems = [] } = outcome;
      await safely(log.record({ ...entry, summary, counts, problems, error: null }));
    }
    return { ...reply, headers: withReceipt(reply.headers) };
  } catch (error) {
    await safely(log.record({ ...entry, summary: null, error: error instanceof Error ? error.message : String(error) }));
    throw error instanceof ApiError ? Object.assign(error, { headers: withReceipt(error.headers) }) : error;
  }
}
