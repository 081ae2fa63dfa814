import { countingTriggers } from '../../platform/storage/row-counts.ts';
import { newsArticles } from './feeds.tables.ts';

/** The total of the archive of news. */
export const SCHEMA_STATEMENTS = countingTriggers(newsArticles);
