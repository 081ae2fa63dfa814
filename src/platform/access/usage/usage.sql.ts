import { usageDays, usageHours } from './usage.tables.ts';

/** Tables `WITHOUT ROWID`: each row stores its key only once. */
export const WITHOUT_ROWID = [usageDays, usageHours];
