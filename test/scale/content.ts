import { sumOf, type Usage } from '../../src/areas/admin/bill/prices.data.ts';
import { CONTENT_COSTS } from './unit-costs.data.ts';

/** What the game and its players produce, independent of requests. */
export interface Content {
  newListingsPerDay: number;
  /** Versions of the game that the archive follows. */
  branches: number;
  /** Growth of the tables besides listings and captures; docs/operations/storage-growth.md. */
  otherGbPerYear: number;
}

const DAYS_PER_MONTH = 30;
const MONTHS_PER_YEAR = 365 / DAYS_PER_MONTH;
/** A dump every three hours, of all live listings. */
const DUMPS_PER_DAY = 8;
const LIVE_LISTINGS = 40_000;
/** Statistics every 15 minutes, of 60 days and at most this number of listings. */
const STATISTICS_PER_DAY = 96;
const STATISTICS_DAYS = 60;
const MAX_STATISTICS_LISTINGS = 300_000;
const LISTING_BYTES = 648;
/** `market_keep_days`, and the rest of the month. */
const LISTING_MONTHS = 14;
const CAPTURES_PER_DAY = 24;
const BOARDS = 165;
const CAPTURE_BYTES = 30_800;
const CAPTURE_GB_PER_YEAR = 0.28;
/** Content at the start: mods, images, a version of each branch (assumed). */
const START_BUCKET_GB = 5;
const START_DATABASE_GB = 0.2;
/** Files of the archive that a year of a branch changes, and compressed listings of a month in a file (assumed). */
const ARCHIVE_GB_PER_YEAR = 2;
const ARCHIVED_LISTING_BYTES = 60;
/** A nightly backup reads each row once; 30 are kept, compressed to a quarter (assumed). */
const BACKUPS = 30;
const BACKUP_SHARE = 0.25;
const ROW_BYTES = 200;
/** Characters of a piece, which is an object. */
const PIECE_BYTES = 4e6;

/** Gigabytes in D1 at the end of a month of the service, without the sums of tokens. */
export function databaseGb({ newListingsPerDay, otherGbPerYear }: Content, month: number): number {
  const listings = newListingsPerDay * DAYS_PER_MONTH * Math.min(month, LISTING_MONTHS);
  const years = month / MONTHS_PER_YEAR;
  return START_DATABASE_GB + (listings * LISTING_BYTES) / 1e9 + (CAPTURE_GB_PER_YEAR + otherGbPerYear) * years;
}

/** Amounts of a month for the content: market, leaderboards, archive, backup. */
export function usageOfContent(content: Content, month: number): Usage {
  const { newListingsPerDay, branches } = content;
  const newListings = newListingsPerDay * DAYS_PER_MONTH;
  const counted = Math.min(MAX_STATISTICS_LISTINGS, newListingsPerDay * Math.min(STATISTICS_DAYS, DAYS_PER_MONTH * month));
  const stored = databaseGb(content, month);
  const archivedListings = newListings * Math.max(0, month - LISTING_MONTHS);
  const pieces = (stored * 1e9) / PIECE_BYTES;
  const bucketGb =
    START_BUCKET_GB +
    (CAPTURES_PER_DAY * DAYS_PER_MONTH * month * CAPTURE_BYTES) / 1e9 +
    (ARCHIVE_GB_PER_YEAR * branches * month) / MONTHS_PER_YEAR +
    (archivedListings * ARCHIVED_LISTING_BYTES) / 1e9 +
    stored * BACKUP_SHARE * BACKUPS;
  return sumOf([
    [newListings, CONTENT_COSTS.newListing],
    [LIVE_LISTINGS * DUMPS_PER_DAY * DAYS_PER_MONTH, CONTENT_COSTS.knownListing],
    // As many end as are created.
    [newListings, CONTENT_COSTS.endedListing],
    // The job that archives a month reads its listings, and deletes their rows.
    [month > LISTING_MONTHS ? newListings : 0, { 'D1 rows written': 1, 'D1 rows read': 4 }],
    [STATISTICS_PER_DAY * DAYS_PER_MONTH * counted, CONTENT_COSTS.statisticsOfListing],
    [STATISTICS_PER_DAY * DAYS_PER_MONTH, CONTENT_COSTS.statistics],
    [CAPTURES_PER_DAY * DAYS_PER_MONTH * BOARDS, CONTENT_COSTS.board],
    [DAYS_PER_MONTH, { 'D1 rows read': (stored * 1e9) / ROW_BYTES, 'R2 class A': pieces, 'object requests': pieces }],
    [stored, { 'D1 GB stored': 1 }],
    [bucketGb, { 'R2 GB stored': 1 }],
  ]);
}
