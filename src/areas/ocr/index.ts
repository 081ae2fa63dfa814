import { defineArea } from '../../platform/area/area.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { heavyWork } from '../../platform/kit/heavy-work.ts';
import { ocrScopes, ocrSettings } from './ocr.settings.ts';

export const ocrArea = defineArea({
  settings: ocrSettings,
  scopes: ocrScopes,
  tags: {
    OCR: 'Reads stats from a screenshot of a character sheet.',
  },
  create: ({ env, ports }) => ({
    endpoints: [
      lazyRoutes(['/v1/ocr', '/ocr'], async () => {
        const [
          { createOcrEndpoint },
          { createPageReadingEndpoints },
          { createCharacterSheetService },
          { decodeImage },
          { createStatReader },
        ] = await Promise.all([
          import('./ocr.routes.ts'),
          import('./page-reading.routes.ts'),
          import('./character-sheet.service.ts'),
          import('./image-reader.service.ts'),
          import('./stat-reader.service.ts'),
        ]);
        const service = createCharacterSheetService({ decode: decodeImage, reader: createStatReader(env.ASSETS), heavyWork });
        return [createOcrEndpoint(service), ...createPageReadingEndpoints(service, ports)];
      }),
    ],
  }),
});
