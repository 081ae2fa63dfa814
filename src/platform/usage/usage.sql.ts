import { usageDays } from './usage.tables.ts';

/** Tables `WITHOUT ROWID`: each row stores the account id only once. */
export const WITHOUT_ROWID = [usageDays];
