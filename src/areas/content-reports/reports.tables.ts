import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations } from '../../platform/kit/table-declaration.ts';
import { REPORT_REASONS } from './reports.data.ts';

/**
 * Reports of public content by visitors. Bound: `MAX_OPEN_REPORTS` open ones, and rate limits per address or account; decided ones are
 * deleted after 400 days.
 */
export const contentReports = sqliteTable(
  'content_reports',
  {
    id: text('id').primaryKey(),
    /** Path of the reported page. */
    page: text('page').notNull(),
    reason: text('reason', { enum: REPORT_REASONS }).notNull(),
    message: text('message').notNull(),
    /** Account of the reporter; null for a visitor and after its deletion. */
    userId: text('user_id'),
    createdAt: integer('created_at').notNull(),
    decidedAt: integer('decided_at'),
    /** Account of the superuser. */
    decidedBy: text('decided_by'),
    decision: text('decision', { enum: ['acted', 'dismissed'] }),
    decisionNote: text('decision_note'),
  },
  (table) => [index('content_reports_decided').on(table.decidedAt), index('content_reports_user').on(table.userId)],
);

/** Backup, personal data and growth of the tables. */
export const reportsTables: TableDeclarations = {
  content_reports: {
    backup: backedUp('sent once by visitors; decisions are an audit trail'),
    personal: 'Reports',
    growth: {
      by: 'reports of visitors, 1 kB each',
      aYear: '1 MB',
      large: '4 MB',
      kept: 'decided ones 400 days',
      afterwards: 'deleted by the job of the area',
    },
  },
};
