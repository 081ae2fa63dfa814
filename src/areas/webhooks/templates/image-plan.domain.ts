import type { WebhookEvent } from '../webhook-events.data.ts';
import type { Template } from './template.domain.ts';

/** Where the picture of a message comes from. A null design is the service's own banner. */
export type ImagePlan = { kind: 'drawn'; designId: string | null } | { kind: 'linked'; url: string } | { kind: 'none' };

/** Events that have a banner of our own, where the template names no picture. */
const WITH_BANNER: readonly WebhookEvent[] = ['game_update'];

/** A design before an address, an address before our own banner. `canDraw`: whether pictures are drawn at all. */
export function imagePlanOf(template: Template, event: WebhookEvent, canDraw: boolean): ImagePlan {
  const { show_image: isShown, image_design_id: designId, image_url: url } = template;
  if (!isShown) return { kind: 'none' };
  if (designId !== null) return canDraw ? { kind: 'drawn', designId } : { kind: 'none' };
  if (url !== '') return { kind: 'linked', url };
  return canDraw && WITH_BANNER.includes(event) ? { kind: 'drawn', designId: null } : { kind: 'none' };
}
