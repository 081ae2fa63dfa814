import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { MessageFile } from '../../../platform/upstream/chat-post.ts';
import type { DesignedImages } from '../designs/designs.service.ts';
import {
  ATTACHED_IMAGE,
  BLANK_TEMPLATE,
  type ChatMessage,
  datedMessage,
  type EmbedImage,
  imagePlanOf,
  MAX_IMAGE_BYTES,
  renderMessage,
  type Template,
  type TemplateVariables,
} from '../events/template.domain.ts';
import type { WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';

/** A message with its image, if any. */
export interface ComposedMessage {
  message: ChatMessage;
  files: MessageFile[];
}

/** Creates messages from events. */
export type Composer = ReturnType<typeof createComposer>;

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
) {
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

  /** The default template replaces an absent or disabled one. */
  const effectiveTemplate = (event: WebhookEvent, given: Template | null) => (given?.enabled ? given : defaultTemplateOf(event));

  return {
    /** Whether `compose` draws an image when drawing is enabled. */
    draws: (event: WebhookEvent, given: Template | null) => imagePlanOf(effectiveTemplate(event, given), event, true).kind === 'drawn',

    /** Processor time that `compose` takes at most to draw the image, in milliseconds. */
    async drawingCost(event: WebhookEvent, given: Template | null, variables: TemplateVariables): Promise<number> {
      const plan = imagePlanOf(effectiveTemplate(event, given), event, true);
      return plan.kind === 'drawn' ? images.costOf(plan.designId, event, variables) : 0;
    },

    /**
     * Draws the image unless `canDraw` is false. When drawing fails, the message has no image. `asOf`: time of a late message, whose
     * countdowns were true then; null: not late.
     */
    async compose(
      event: WebhookEvent,
      given: Template | null,
      variables: TemplateVariables,
      canDraw: boolean,
      asOf: UnixSeconds | null = null,
    ): Promise<ComposedMessage> {
      const template = effectiveTemplate(event, given);
      const plan = imagePlanOf(template, event, canDraw);
      const file = plan.kind === 'drawn' ? await draw(plan.designId, event, variables) : null;
      const drawnImage: EmbedImage = file ? { kind: 'attached' } : { kind: 'none' };
      const image = plan.kind === 'drawn' ? drawnImage : plan;
      const message = renderMessage(template, variables, image);
      return { message: asOf === null ? message : datedMessage(message, asOf), files: file ? [file] : [] };
    },

    /** The same message without drawing: an attached image is only referenced. */
    preview(event: WebhookEvent, given: Template, variables: TemplateVariables, canDraw: boolean): ChatMessage {
      const template = effectiveTemplate(event, given);
      const plan = imagePlanOf(template, event, canDraw);
      return renderMessage(template, variables, plan.kind === 'drawn' ? { kind: 'attached' } : plan);
    },

    /** Test message without an event. */
    connected: (): ComposedMessage => ({ message: renderMessage(CONNECTED_TEMPLATE, {}, { kind: 'none' }), files: [] }),
  };
}
