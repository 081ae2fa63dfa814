import { usageDays } from './usage.tables.ts';

/** Tables stored in the order of their primary key: one copy of the account's id a row. */
export const WITHOUT_ROWID = [usageDays];
