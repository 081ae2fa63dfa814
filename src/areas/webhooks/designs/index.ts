import type { DrawingBudget } from '../../../platform/access/policy/drawing-budget.ts';
import { lazyRoutes, type Routes } from '../../../platform/http/pipeline/route-groups.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { DesignedImages } from '../designed-images.ts';
import { createImageRenderer } from './design-drawer.ts';
import { createDesignsRepository } from './designs.repository.ts';
import { createDesignsService } from './designs.service.ts';

export interface DesignsDeps {
  db: Database;
  /** Contains the fonts. */
  assets: Fetcher;
  drawings: Pick<DrawingBudget, 'require'>;
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
export function createDesigns({ db, assets, drawings, newId }: DesignsDeps): DesignsArea {
  const service = createDesignsService({ repository: createDesignsRepository(db), draw: createImageRenderer(assets), drawings, newId });
  return {
    endpoints: [
      lazyRoutes(['/v1/webhooks'], async () => {
        const { createDesignEndpoints } = await import('./designs.routes.ts');
        return createDesignEndpoints(service);
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
