import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { type AnomaliesBody, toAnomaliesBody } from '../boards/insights.schemas.ts';
import type { AnomalyReport } from './anomalies.service.ts';
import type { StoredReport } from './anomaly-reports.repository.ts';

export type AnomaliesReply = Representation<(typeof AnomaliesBody)['_output']>;

/** A report in the form it is kept and answered in. */
export function anomaliesReply(report: AnomalyReport): AnomaliesReply {
  return json(toAnomaliesBody(report));
}

/** A report that was kept, as an answer. */
export function storedReply({ body }: StoredReport): AnomaliesReply {
  return { kind: 'json', text: body };
}
