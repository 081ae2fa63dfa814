import { defineArea } from '../../platform/area.ts';
import { heavyWork } from '../../platform/heavy-work.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { createCharacterSheetService } from './character-sheet.service.ts';
import { decodeImage } from './image-reader.ts';
import { createOcrEndpoint } from './ocr.routes.ts';
import { ocrScopes } from './ocr.scopes.ts';
import { ocrSettings } from './ocr.settings.ts';
import { createStatReader } from './stat-reader.ts';

export interface OcrAreaDeps {
  /** Static assets with the model of the engine. */
  assets: Fetcher;
}

/** `POST /v1/ocr/character`. */
export function createOcrArea({ assets }: OcrAreaDeps): { endpoints: Endpoint[] } {
  const service = createCharacterSheetService({ decode: decodeImage, reader: createStatReader(assets), heavyWork });
  return { endpoints: [createOcrEndpoint(service)] };
}

export const ocrArea = defineArea({
  settings: ocrSettings,
  scopes: ocrScopes,
  tags: {
    OCR: 'Reads stats from a screenshot of a character sheet.',
  },
  create: ({ env }) => createOcrArea({ assets: env.ASSETS }),
});
