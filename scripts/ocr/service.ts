import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import type { Picture } from './manifest.ts';
import { readImage } from './manifest.ts';

/** A stat in an answer of the service. */
export interface RecognisedStat {
  value: number;
  confidence: number;
  derived: boolean;
}

export interface OcrService {
  bundle: RunningBundle;
  /** Reads a picture; the stats by name, and how long it took in milliseconds. */
  read(picture: Pick<Picture, 'file' | 'format'>): Promise<{ status: number; stats: Record<string, RecognisedStat>; milliseconds: number }>;
}

/** The bundle that would be deployed, with limits that do not matter here. */
export async function startService(): Promise<OcrService> {
  const bundle = await startBundle({
    vars: { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_REQUESTS: 'off' },
    showLogs: process.argv.includes('--logs'),
    reuseBuild: process.argv.includes('--reuse'),
    inspectorPort: 0,
  });
  const token = await bundle.mintToken();
  return {
    bundle,
    async read(picture) {
      const form = new FormData();
      form.set('file', new Blob([readImage(picture)], { type: `image/${picture.format}` }), picture.file);
      const started = performance.now();
      const response = await fetch(`${bundle.url}/v1/ocr/character`, {
        method: 'POST',
        body: form,
        headers: { Authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as { stats?: Record<string, RecognisedStat> };
      return { status: response.status, stats: body.stats ?? {}, milliseconds: performance.now() - started };
    },
  };
}
