import { defineArea } from '../../platform/area.ts';
import type { MemoryBudget } from '../../platform/http/bodies/memory-budget.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { createCharacterSheetService } from './character-sheet.service.ts';
import { decodeImage } from './image-reader.ts';
import { LEASE_MILLISECONDS, MAX_WAITING, PATIENCE_MILLISECONDS } from './ocr.data.ts';
import { createOcrEndpoint } from './ocr.routes.ts';
import { ocrScopes } from './ocr.scopes.ts';
import { ocrSettings } from './ocr.settings.ts';
import { createStatReader } from './stat-reader.ts';

export interface OcrAreaDeps {
  memory: MemoryBudget;
  /** Has the model of the text reader. */
  assets: Fetcher;
}

/** `POST /v1/ocr/character`. */
export function createOcrArea({ assets, memory }: OcrAreaDeps): { endpoints: Endpoint[] } {
  const semaphore = createSemaphore({ patience: PATIENCE_MILLISECONDS, lease: LEASE_MILLISECONDS, maxWaiting: MAX_WAITING });
  const service = createCharacterSheetService({ decode: decodeImage, reader: createStatReader(assets), semaphore });
  return { endpoints: [createOcrEndpoint(service, memory)] };
}

export const ocrArea = defineArea({
  settings: ocrSettings,
  scopes: ocrScopes,
  tags: {
    OCR: 'Reads stats from a screenshot of a character sheet.',
  },
  create: ({ env, memory }) => createOcrArea({ assets: env.ASSETS, memory }),
});
