import type { UnixSeconds } from '../../kit/time/clock.ts';

/** Numbers of records of an insert: the rows of a dump, otherwise one. */
export interface IngestCounts {
  /** The sum of the others. */
  received: number;
  /** Stored. */
  accepted: number;
  /** Valid, but not tracked by this service. */
  ignored: number;
  /** Invalid. */
  rejected: number;
}

/** One insert and its result. */
export interface IngestRecord extends Partial<IngestReport> {
  /**
   * Id of the receipt. A second record with the same id replaces the first, unless that was a success: a task that is repeated after a crash
   * knows less about the data that it stored. Absent: no receipt.
   */
  receiptId?: string | null;
  /** Short name of the insert: the `cooldown` in the access of its endpoint. */
  endpoint: string;
  now: UnixSeconds;
  /** Account of the client; null for a job of the service. */
  userId: string | null;
  /** Token of the client; null for a session. */
  tokenId: string | null;
  /** The imported data in one line; null when nothing was imported. */
  summary: string | null;
  /** Error message; null for a successful insert. */
  error: string | null;
}

/** What became of the records of an insert. */
export interface IngestReport {
  /** Null when the insert failed before its data was read. */
  counts: IngestCounts | null;
  /** The first invalid records; of more only the first 50 are stored. */
  problems: readonly IngestProblem[];
  /** Hidden characters in the texts of the data, which responses omit. Absent: not counted. */
  hiddenCharacters?: number | undefined;
}

/** A record of an insert that was not stored. */
export interface IngestProblem {
  /** Line of the dump, counted from 1; null when the insert has no lines. */
  line: number | null;
  reason: string;
}

/** Log of inserts. */
export interface IngestLog {
  record(entry: IngestRecord): Promise<void>;
  /** Creates the receipt of data that is processed later. The log lists it after `record`. */
  receive(entry: Omit<IngestRecord, 'summary' | 'error'> & { receiptId: string }): Promise<void>;
}

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
