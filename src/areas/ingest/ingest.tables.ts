import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { IngestProblem } from '../../platform/http/pipeline/receipt.ts';
import { expires } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';

const PROBLEM: shapes.Shape<IngestProblem> = shapes.fields({ line: shapes.nullable(shapes.number), reason: shapes.text });

/** Log of inserts for administrators, and their receipts. Bound: 90 days of inserts. */
export const ingestLog = sqliteTable(
  'ingest_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    endpoint: text('endpoint').notNull(),
    createdAt: integer('created_at').notNull(),
    userId: text('user_id'),
    tokenId: text('token_id'),
    /** False while the insert is processed. */
    success: integer('success', { mode: 'boolean' }).notNull(),
    /** The imported data in one line: counts, dropped lines. */
    summary: text('summary'),
    error: text('error'),
    /** Random id of the receipt; null for entries without one. */
    receiptId: text('receipt_id'),
    /** True from the reception of the data until the result. */
    isPending: integer('is_pending', { mode: 'boolean' }).notNull().default(false),
    /** Numbers of records: sent, stored, not tracked by this service, invalid. Null when the insert failed before it was read. */
    received: integer('received'),
    accepted: integer('accepted'),
    ignored: integer('ignored'),
    rejected: integer('rejected'),
    /** Hidden characters in the texts of the data, which responses omit. Null when they were not counted. */
    hiddenCharacters: integer('hidden_characters'),
    /** The first invalid records. Bound: `MAX_PROBLEMS`. */
    problems: jsonColumn('problems', shapes.listOf(PROBLEM)).notNull().default([]),
  },
  (table) => [
    index('ingest_log_endpoint').on(table.endpoint, table.id),
    index('ingest_log_success').on(table.success, table.id),
    index('ingest_log_pending').on(table.isPending, table.id),
    index('ingest_log_created').on(table.createdAt),
    uniqueIndex('ingest_log_receipt').on(table.receiptId),
  ],
);

/** Backup, personal data and growth of the tables. */
export const ingestTables: TableDeclarations = {
  ingest_log: {
    backup: expires('90 days'),
    personal: 'Inserts',
    growth: { by: 'inserts', aYear: 'none', kept: '90 days', afterwards: 'deleted' },
  },
};
