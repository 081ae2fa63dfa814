import { type RunningBundle, startBundle } from '../../scripts/lib/bundle.ts';
import type { SheetImage } from './manifest.ts';
import { readImage } from './manifest.ts';

/** A stat in a response of the service. */
export interface RecognisedStat {
  value: number;
  confidence: number;
  derived: boolean;
}

export interface OcrService {
  bundle: RunningBundle;
  /** Reads an image. Returns the stats by name, and the milliseconds. */
  read(
    image: Pick<SheetImage, 'file' | 'format'>,
  ): Promise<{ status: number; stats: Record<string, RecognisedStat>; milliseconds: number }>;
}

/** Starts the deployable bundle without effective rate limits. */
export async function startService(): Promise<OcrService> {
  const bundle = await startBundle({
    vars: { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_SAMPLE: '0' },
    showLogs: process.argv.includes('--logs'),
    reuseBuild: process.argv.includes('--reuse'),
    inspectorPort: 0,
  });
  const token = await bundle.mintToken();
  return {
    bundle,
    async read(image) {
      const form = new FormData();
      form.set('file', new Blob([readImage(image)], { type: `image/${image.format}` }), image.file);
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
