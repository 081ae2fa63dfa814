/** Stores the anomaly report. It is computed in the background because it reads every board of a capture. */
export interface AnomalyReports {
  put(report: StoredReport): Promise<void>;
  get(): Promise<StoredReport | null>;
}

export interface StoredReport {
  /** Digest of the inputs of the report: capture and rules. */
  basis: string;
  /** Response body as JSON. */
  body: string;
}

const KEY = 'reports/anomalies.json';

export function createAnomalyReports(bucket: R2Bucket): AnomalyReports {
  return {
    async put({ basis, body }) {
      await bucket.put(KEY, body, { customMetadata: { basis } });
    },
    async get() {
      const object = await bucket.get(KEY);
      return object && { basis: object.customMetadata?.basis ?? '', body: await object.text() };
    },
  };
}
