import { z } from '@hono/zod-openapi';
import { feedbackAccess } from '../../platform/access/policy/policy.ts';
import { enumOf, string } from '../../platform/http/bodies/body-schemas.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { validateTexts } from '../../platform/http/pipeline/validation.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import {
  FEEDBACK_CATEGORIES,
  MAX_APP_VERSION_LENGTH,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  MAX_CONTACT_LENGTH,
  MAX_FORM_BYTES,
  MESSAGE_LENGTH,
} from './feedback.domain.ts';
import type { FeedbackOutbox, FeedbackService } from './feedback.service.ts';
import { allFeedbackRateLimit, feedbackRateLimit } from './misc.settings.ts';

/** Schema of the form: for the OpenAPI document, and for the characters of its texts. */
const FeedbackForm = z
  .object({
    message: severalLines(
      z.string().min(MESSAGE_LENGTH.min).max(MESSAGE_LENGTH.max).openapi({
        description: 'Message text; leading and trailing white space is ignored.',
        example: 'The calendar is off by one day on Mondays.',
      }),
    ),
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

const FeedbackBody = z
  .object({
    ok: z.literal(true).openapi({ description: 'The feedback was received.', example: true }),
    received_at: string('Time when the feedback was received.', '2026-03-10T15:30:00.000Z'),
  })
  .openapi('FeedbackReceived', { description: 'Confirms that feedback was received.' });

function toFeedbackBody(receivedAt: UnixSeconds): z.infer<typeof FeedbackBody> {
  return { ok: true, received_at: toIso(receivedAt) };
}

const FORM_LIMITS: FormLimits = {
  total: MAX_FORM_BYTES,
  file: MAX_ATTACHMENT_BYTES,
  files: MAX_ATTACHMENTS,
  field: 64 * 1024,
  fields: 20,
  seconds: 120,
};
/** Timeout of the first delivery attempt: `waitUntil` allows 30 s after the response. An interrupted attempt is retried later. */
const FIRST_ATTEMPT_TIMEOUT_MS = 25_000;

interface FeedbackRouteDeps {
  service: FeedbackService;
  outbox: Pick<FeedbackOutbox, 'deliver'>;
  /** Product token of the companion app in the user agent; empty: none. */
  companionProduct: string;
}

/** The chunks of the images, and the joined images. */
const MEMORY_FACTOR = 2;

const DESCRIPTION = `Submits a message with up to four images. The service stores the message, contact, category, the versions of app, system and browser, and name, type and size of the attachments, but never the IP address.

Rejected submissions do not count towards the rate limit.`;

/** `POST /v1/misc/feedback`. */
export function createFeedbackEndpoint({ service, outbox, companionProduct }: FeedbackRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/misc/feedback',
    operationId: 'sendFeedback',
    tag: 'Misc',
    summary: 'Send feedback',
    description: DESCRIPTION,
    access: feedbackAccess(feedbackRateLimit, allFeedbackRateLimit),
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: FeedbackForm },
    bodyLimit: MAX_FORM_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'Received.', schema: FeedbackBody },
  }).handle(async ({ request, reserve, chargeLater, settings, now, waitUntil }) => {
    const form = await readForm(request, FORM_LIMITS, reserve);
    validateTexts(FeedbackForm, 'body', Object.fromEntries(form.fields));
    const submission = service.check(form);
    // Above the global rate limit the response is the same, so clients cannot detect it.
    const submitted = (await chargeLater())
      ? null
      : await service.store(submission, parseUserAgent(request.headers.get('User-Agent'), companionProduct), settings, now);
    if (submitted?.isQueued)
      waitUntil(outbox.deliver(submitted.id, { settings, now, signal: AbortSignal.timeout(FIRST_ATTEMPT_TIMEOUT_MS) }));
    return json(toFeedbackBody(now));
  });
}
