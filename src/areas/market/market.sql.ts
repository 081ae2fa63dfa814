import { marketDays } from './market.tables.ts';

/** Tables without rowid: rows are read in the order of the primary key. */
export const WITHOUT_ROWID = [marketDays];
