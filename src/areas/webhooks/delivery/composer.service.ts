import { logError } from '../../../platform/kit/logging.ts';
import type { MessageFile } from '../../../platform/upstream/chat-post.ts';
import type { DesignedImages } from '../designed-images.service.ts';
import { type ChatMessage, type EmbedImage, imagePlanOf, renderMessage } from '../templates/message.domain.ts';
import { ATTACHED_IMAGE, MAX_IMAGE_BYTES } from '../templates/template.data.ts';
import type { Template, TemplateVariables } from '../templates/template.domain.ts';
import { BLANK_TEMPLATE, type WebhookEvent, type WebhookEvents } from '../webhook-events.domain.ts';

/** A message with its image, if any. */
export interface ComposedMessage {
  message: ChatMessage;
  files: MessageFile[];
}

/** Creates messages from events. */
export interface Composer {
  /** Whether `compose` draws an image when drawing is enabled. */
  draws(event: WebhookEvent, template: Template | null): boolean;
  /** Processor time that `compose` takes at most to draw the image, in milliseconds. */
  drawingCost(event: WebhookEvent, template: Template | null, variables: TemplateVariables): Promise<number>;
  /**
   * Draws the image unless `canDraw` is false. When drawing fails, the message has no image. The default template replaces an absent or
   * disabled one.
   */
  compose(event: WebhookEvent, template: Template | null, variables: TemplateVariables, canDraw: boolean): Promise<ComposedMessage>;
  /** The same message without drawing: an attached image is only referenced. */
  preview(event: WebhookEvent, template: Template, variables: TemplateVariables, canDraw: boolean): ChatMessage;
  /** Test message without an event. */
  connected(): ComposedMessage;
}

/** Message of a test without an event. */
export const CONNECTED_TEMPLATE: Template = {
  ...BLANK_TEMPLATE,
  title: 'Connected',
  description: 'This webhook works. Its events will be posted here.',
  color: '#5EC6FF',
};

export function createComposer(
  images: Pick<DesignedImages, 'render' | 'costOf'>,
  { defaultTemplateOf }: Pick<WebhookEvents, 'defaultTemplateOf'>,
): Composer {
  async function draw(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<MessageFile | null> {
    try {
      const bytes = await images.render(designId, event, variables);
      if (bytes === null || bytes.byteLength > MAX_IMAGE_BYTES) return null;
      return { name: ATTACHED_IMAGE, contentType: 'image/png', size: bytes.byteLength, open: async () => new Response(bytes).body };
    } catch (error) {
      logError('message image could not be drawn', error, { event, design_id: designId });
      return null;
    }
  }

  const effectiveTemplate = (event: WebhookEvent, given: Template | null) => (given?.enabled ? given : defaultTemplateOf(event));

  return {
    draws: (event, given) => imagePlanOf(effectiveTemplate(event, given), event, true).kind === 'drawn',

    async drawingCost(event, given, variables) {
      const plan = imagePlanOf(effectiveTemplate(event, given), event, true);
      return plan.kind === 'drawn' ? images.costOf(plan.designId, event, variables) : 0;
    },

    async compose(event, given, variables, canDraw) {
      const template = effectiveTemplate(event, given);
      const plan = imagePlanOf(template, event, canDraw);
      const file = plan.kind === 'drawn' ? await draw(plan.designId, event, variables) : null;
      const drawnImage: EmbedImage = file ? { kind: 'attached' } : { kind: 'none' };
      const image = plan.kind === 'drawn' ? drawnImage : plan;
      return { message: renderMessage(template, variables, image), files: file ? [file] : [] };
    },

    preview(event, given, variables, canDraw) {
      const template = effectiveTemplate(event, given);
      const plan = imagePlanOf(template, event, canDraw);
      return renderMessage(template, variables, plan.kind === 'drawn' ? { kind: 'attached' } : plan);
    },

    connected: () => ({ message: renderMessage(CONNECTED_TEMPLATE, {}, { kind: 'none' }), files: [] }),
  };
}
