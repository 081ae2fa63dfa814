import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import type { AnomaliesBody } from '../boards/insights.schemas.ts';
import type { AnomalyReport } from './anomalies.service.ts';
import type { StoredReport } from './anomaly-reports.repository.ts';

/** Cache lifetime of the report; captures are an hour apart. */
const MAX_AGE_SECONDS = 1800;

export type AnomaliesReply = Representation<(typeof AnomaliesBody)['_output']>;

/** Response for a computed report; its text is also what is stored. */
export async function anomaliesReply(report: AnomalyReport): Promise<AnomaliesReply> {
  const { toAnomaliesBody } = await import('../boards/insights.schemas.ts');
  return json(toAnomaliesBody(report));
}

export function storedReply({ body }: StoredReport): AnomaliesReply {
  return { kind: 'json', text: body, maxAge: MAX_AGE_SECONDS };
}
