import { feedbackAccess } from '../../platform/access/policy/policy.ts';
import { createBigBodies } from '../../platform/http/bodies/big-bodies.ts';
import type { MemoryBudget } from '../../platform/http/bodies/memory-budget.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { parseUserAgent } from '../../platform/http/pipeline/user-agent.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { allFeedbackBudget, feedbackBudget } from './feedback.budgets.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_FORM_BYTES } from './feedback.data.ts';
import { FeedbackBody, FeedbackForm, toFeedbackBody } from './feedback.schemas.ts';
import type { FeedbackService } from './feedback.service.ts';
import type { FeedbackOutbox } from './feedback-outbox.service.ts';

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
  memory: MemoryBudget;
  service: FeedbackService;
  outbox: Pick<FeedbackOutbox, 'deliver'>;
  /** Product token of the companion app in the user agent; empty: none. */
  companionProduct: string;
}

const DESCRIPTION = `Submits a message with up to four images. The service stores the message, contact, category, the versions of app, system and browser, and name, type and size of the attachments, but never the IP address.

Rejected submissions do not count towards the rate limit.`;

/** `POST /v1/misc/feedback`. */
export function createFeedbackEndpoint({ memory, service, outbox, companionProduct }: FeedbackRouteDeps): Endpoint {
  const bigBodies = createBigBodies(memory, MAX_FORM_BYTES);
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
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'Received.', schema: FeedbackBody },
  }).handle(async ({ request, admission, settings, now, waitUntil }) => {
    const submitted = await bigBodies.withReservation(request, async () => {
      const submission = service.check(await readForm(request, FORM_LIMITS));
      // Above the global rate limit the response is the same, so clients cannot detect it.
      if (!(await admission.countGlobally?.())) return null;
      return service.store(submission, parseUserAgent(request.headers.get('User-Agent'), companionProduct), settings, now);
    });
    if (submitted?.isQueued)
      waitUntil(outbox.deliver(submitted.id, { settings, now, signal: AbortSignal.timeout(FIRST_ATTEMPT_TIMEOUT_MS) }));
    return json(toFeedbackBody(now));
  });
}
