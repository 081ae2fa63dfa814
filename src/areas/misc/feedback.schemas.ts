import { z } from '@hono/zod-openapi';
import { enumOf } from '../../platform/http/bodies/body-schemas.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { FEEDBACK_CATEGORIES, MAX_APP_VERSION_LENGTH, MAX_ATTACHMENTS, MAX_CONTACT_LENGTH, MESSAGE_LENGTH } from './feedback.data.ts';

/** Schema of the form, for the OpenAPI document only. */
export const FeedbackForm = z
  .object({
    message: z.string().min(MESSAGE_LENGTH.min).max(MESSAGE_LENGTH.max).openapi({
      description: 'Message text; leading and trailing white space is ignored.',
      example: 'The calendar is off by one day on Mondays.',
    }),
    category: enumOf(FEEDBACK_CATEGORIES).default('general').openapi({ description: 'Kind of feedback.', example: 'bug' }),
    contact: z.string().max(MAX_CONTACT_LENGTH).optional().openapi({ description: 'Contact for a reply.', example: 'somebody#1234' }),
    app_version: z.string().max(MAX_APP_VERSION_LENGTH).optional().openapi({ description: 'Version of the app.', example: '2.10.1' }),
    attachments: z
      .array(z.any().openapi({ type: 'string', format: 'binary', description: 'An image.' }))
      .max(MAX_ATTACHMENTS)
      .optional()
      .openapi({
        description:
          'Images of type image/png, image/jpeg, image/webp or image/gif, up to 5 MB (5,242,880 bytes) each; empty files are ignored.',
        example: [],
      }),
  })
  .openapi('FeedbackForm', { description: 'A feedback submission.' });

export const FeedbackBody = z
  .object({
    ok: z.literal(true).openapi({ description: 'The feedback was received.', example: true }),
    received_at: z.string().openapi({ description: 'Time when the feedback was received.', example: '2026-03-10T15:30:00.000Z' }),
  })
  .openapi('FeedbackReceived', { description: 'Confirms that feedback was received.' });

export function toFeedbackBody(receivedAt: UnixSeconds): z.infer<typeof FeedbackBody> {
  return { ok: true, received_at: toIso(receivedAt) };
}
