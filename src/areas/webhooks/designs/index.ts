import type { DrawingRateLimit } from '../../../platform/access/policy/drawing-rate-limit.ts';
import { lazyRoutes } from '../../../platform/http/pipeline/route-groups.ts';
import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import { createFontSource } from '../../../platform/kit/images/font-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import { startersOf } from './design-starters.data.ts';
import { createDesignsService, type DesignedImages, type RenderImage } from './designs.service.ts';
import { createDesignsStore } from './designs.store.ts';

interface DesignsDeps {
  db: Database;
  /** Contains the fonts. */
  assets: Fetcher;
  drawings: Pick<DrawingRateLimit, 'require'>;
  events: WebhookEvents;
  newId(): string;
}

/** `/v1/webhooks/designs`, and the images drawn from designs. */
export function createDesigns({ db, assets, ...deps }: DesignsDeps) {
  const service = createDesignsService({ ...deps, designs: createDesignsStore(db), draw: createImageRenderer(assets) });
  const images: DesignedImages = service;
  return {
    endpoints: [
      lazyRoutes(['/v1/webhooks'], async () => {
        const { createDesignEndpoints, createDesignSchemas } = await import('./designs.routes.ts');
        return createDesignEndpoints(service, createDesignSchemas(deps.events), startersOf(deps.events));
      }),
    ],
    /** Draws the images of messages. */
    images,
    /** Designs of an account, in the format of the list endpoint. */
    async exportOf(userId: string): Promise<Record<string, unknown>[]> {
      const { toDesignBody } = await import('./designs.routes.ts');
      return (await service.list(userId)).map(toDesignBody);
    },
    deleteByAccount: service.deleteByAccount,
  };
}

/** One renderer per isolate; it caches the fonts. */
export function createImageRenderer(assets: Fetcher): RenderImage {
  const fonts = createFontSource(assets);
  return async ({ svg, costMs }) => {
    const loaded = await fonts();
    const { renderSvg } = await import('../../../platform/kit/images/svg-renderer.ts');
    return heavyWork.run(costMs, () =>
      renderSvg(svg, loaded).catch((error: unknown) => {
        logError('design could not be drawn', error, {});
        return null;
      }),
    );
  };
}
