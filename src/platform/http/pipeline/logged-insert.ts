import type { Caller } from '../../access/policy/admission.ts';
import { ApiError } from '../../kit/errors/api-error.ts';
import { logError } from '../../kit/logging.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { INGEST_ID } from '../replies/headers.ts';
import type { Reply } from '../replies/reply.ts';
import type { IngestLog, Receipt } from './receipt.ts';

const ONE_RECORD = { received: 1, accepted: 1, ignored: 0, rejected: 0 };

/**
 * Runs the handler of an insert and logs the outcome of its reply, or its error. Reply and `ApiError` get the header that names the
 * receipt. A failed write to the log does not fail the insert.
 */
export async function runLogged(
  log: IngestLog,
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
      const { summary, counts = ONE_RECORD, problems = [], hiddenCharacters } = outcome;
      await safely(log.record({ ...entry, summary, counts, problems, hiddenCharacters, error: null }));
    }
    return { ...reply, headers: withReceipt(reply.headers) };
  } catch (error) {
    await safely(log.record({ ...entry, summary: null, error: error instanceof Error ? error.message : String(error) }));
    throw error instanceof ApiError ? Object.assign(error, { headers: withReceipt(error.headers) }) : error;
  }
}

/** Account and token of the client of an insert, for the log. */
export function senderOf(caller: Caller): { userId: string | null; tokenId: string | null } {
  return { userId: 'userId' in caller ? caller.userId : null, tokenId: 'tokenId' in caller ? caller.tokenId : null };
}
