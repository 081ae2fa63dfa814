import type { DrawingBudget } from '../../../platform/access/policy/drawing-budget.ts';
import { lazyRoutes, type Routes } from '../../../platform/http/pipeline/route-groups.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { DesignedImages } from '../designed-images.service.ts';
import type { WebhookEvents } from '../webhook-events.domain.ts';
import { createImageRenderer } from './design-drawer.service.ts';
import { startersOf } from './design-starters.data.ts';
import { createDesignsRepository } from './designs.repository.ts';
import { createDesignsService } from './designs.service.ts';

export interface DesignsDeps {
  db: Database;
  /** Contains the fonts. */
  assets: Fetcher;
  drawings: Pick<DrawingBudget, 'require'>;
  events: WebhookEvents;
  newId(): string;
}

export interface DesignsArea {
  endpoints: Routes[];
  /** Draws the images of messages. */
  images: DesignedImages;
  /** Designs of an account, in the format of the list endpoint. */
  exportOf(userId: string): Promise<Record<string, unknown>[]>;
  deleteAccountData(userId: string): Promise<void>;
}

/** `/v1/webhooks/designs`, and the images drawn from designs. */
export function createDesigns({ db, assets, ...deps }: DesignsDeps): DesignsArea {
  const service = createDesignsService({ ...deps, repository: createDesignsRepository(db), draw: createImageRenderer(assets) });
  return {
    endpoints: [
      lazyRoutes(['/v1/webhooks'], async () => {
        const [{ createDesignEndpoints }, { createDesignSchemas }] = await Promise.all([
          import('./designs.routes.ts'),
          import('./designs.schemas.ts'),
        ]);
        return createDesignEndpoints(service, createDesignSchemas(deps.events), startersOf(deps.events));
      }),
    ],
    images: service,
    async exportOf(userId) {
      const { toDesignBody } = await import('./designs.schemas.ts');
      return (await service.list(userId)).map(toDesignBody);
    },
    deleteAccountData: service.deleteAccountData,
  };
}
