import { logError } from '../../../platform/logging.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { MessageFile } from '../../../platform/upstream/chat-post.ts';
import type { DesignedImages } from '../designed-images.ts';
import { CONNECTED_TEMPLATE, DEFAULT_TEMPLATES } from '../templates/default-templates.data.ts';
import { imagePlanOf } from '../templates/image-plan.domain.ts';
import { type ChatMessage, type EmbedImage, renderMessage } from '../templates/message.domain.ts';
import { ATTACHED_IMAGE, MAX_IMAGE_BYTES } from '../templates/template.data.ts';
import type { Template, TemplateVariables } from '../templates/template.domain.ts';
import type { WebhookEvent } from '../webhook-events.data.ts';

type DrawingSwitch = Pick<Settings, 'featureImageStudioEnabled'>;

/** A message with the picture that goes with it, if any. */
export interface ComposedMessage {
  message: ChatMessage;
  files: MessageFile[];
}

/** Makes messages of events. */
export interface Composer {
  /** Draws the picture afresh; one that cannot be drawn is left out. A template that is absent or not enabled: the default one. */
  compose(event: WebhookEvent, template: Template | null, variables: TemplateVariables, settings: DrawingSwitch): Promise<ComposedMessage>;
  /** The same message without drawing: what would be attached is only referred to. */
  preview(event: WebhookEvent, template: Template, variables: TemplateVariables, settings: DrawingSwitch): ChatMessage;
  /** Says that the webhook works. */
  connected(): ComposedMessage;
}

export function createComposer(images: Pick<DesignedImages, 'render'>): Composer {
  async function draw(designId: string | null, event: WebhookEvent, variables: TemplateVariables): Promise<MessageFile | null> {
    try {
      const bytes = await images.render(designId, event, variables);
      if (bytes === null || bytes.byteLength > MAX_IMAGE_BYTES) return null;
      return { name: ATTACHED_IMAGE, contentType: 'image/png', size: bytes.byteLength, open: async () => new Response(bytes).body };
    } catch (error) {
      logError('the picture of a message could not be drawn', error, { event, design_id: designId });
      return null;
    }
  }

  return {
    async compose(event, given, variables, { featureImageStudioEnabled: canDraw }) {
      const template = given?.enabled ? given : DEFAULT_TEMPLATES[event];
      const plan = imagePlanOf(template, event, canDraw);
      const file = plan.kind === 'drawn' ? await draw(plan.designId, event, variables) : null;
      const drawn: EmbedImage = file ? { kind: 'attached' } : { kind: 'none' };
      const image = plan.kind === 'drawn' ? drawn : plan;
      return { message: renderMessage(template, variables, image), files: file ? [file] : [] };
    },

    preview(event, given, variables, { featureImageStudioEnabled: canDraw }) {
      const template = given.enabled ? given : DEFAULT_TEMPLATES[event];
      const plan = imagePlanOf(template, event, canDraw);
      return renderMessage(template, variables, plan.kind === 'drawn' ? { kind: 'attached' } : plan);
    },

    connected: () => ({ message: renderMessage(CONNECTED_TEMPLATE, {}, { kind: 'none' }), files: [] }),
  };
}
