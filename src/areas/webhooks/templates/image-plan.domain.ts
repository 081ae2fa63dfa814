import type { WebhookEvent } from '../webhook-events.ts';
import type { Template } from './template.domain.ts';

/** Source of the image of a message. A null design is the default banner. */
export type ImagePlan = { kind: 'drawn'; designId: string | null } | { kind: 'linked'; url: string } | { kind: 'none' };

/** Events with a default banner. */
const WITH_BANNER: readonly WebhookEvent[] = ['game_update'];

/** A design takes precedence over an image URL, an image URL over the default banner. `canDraw`: whether drawing is enabled. */
export function imagePlanOf(template: Template, event: WebhookEvent, canDraw: boolean): ImagePlan {
  const { show_image: isShown, image_design_id: designId, image_url: url } = template;
  if (!isShown) return { kind: 'none' };
  if (designId !== null) return canDraw ? { kind: 'drawn', designId } : { kind: 'none' };
  if (url !== '') return { kind: 'linked', url };
  return canDraw && WITH_BANNER.includes(event) ? { kind: 'drawn', designId: null } : { kind: 'none' };
}
