import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { type AnomaliesBody, toAnomaliesBody } from '../boards/insights.schemas.ts';
import type { AnomalyReport } from './anomalies.service.ts';
import type { StoredReport } from './anomaly-reports.repository.ts';

export type AnomaliesReply = Representation<(typeof AnomaliesBody)['_output']>;

/** Stored and returned form of a report. */
export function anomaliesReply(report: AnomalyReport): AnomaliesReply {
  return json(toAnomaliesBody(report));
}

/** Response for a stored report. */
export function storedReply({ body }: StoredReport): AnomaliesReply {
  return { kind: 'json', text: body };
}
