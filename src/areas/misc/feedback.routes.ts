import { feedbackAccess } from '../../platform/access/policy/policy.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_FORM_BYTES } from './feedback.data.ts';
import { FeedbackBody, FeedbackForm, toFeedbackBody } from './feedback.schemas.ts';
import type { FeedbackService } from './feedback.service.ts';
import type { FeedbackOutbox } from './feedback-outbox.service.ts';
import { allFeedbackBudget, feedbackBudget } from './misc.settings.ts';

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

export interface FeedbackRouteDeps {
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
    access: feedbackAccess(feedbackBudget, allFeedbackBudget),
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: FeedbackForm },
    bodyLimit: MAX_FORM_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'Received.', schema: FeedbackBody },
  }).handle(async ({ request, reserve, admission, settings, now, waitUntil }) => {
    const submission = service.check(await readForm(request, FORM_LIMITS, reserve));
    // Above the global rate limit the response is the same, so clients cannot detect it.
    const submitted = (await admission.countGlobally?.())
      ? await service.store(submission, parseUserAgent(request.headers.get('User-Agent'), companionProduct), settings, now)
      : null;
    if (submitted?.isQueued)
      waitUntil(outbox.deliver(submitted.id, { settings, now, signal: AbortSignal.timeout(FIRST_ATTEMPT_TIMEOUT_MS) }));
    return json(toFeedbackBody(now));
  });
}
