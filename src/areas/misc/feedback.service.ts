import type { Attempt, DeliveryOutcome, Outbox, OutboxQueue } from '../../platform/durable/outbox.ts';
import { imageTypeOf } from '../../platform/http/bodies/image-type.ts';
import type { Form, FormFile } from '../../platform/http/bodies/multipart.ts';
import type { UserAgentLabels } from '../../platform/http/pipeline/user-agent.ts';
import { badRequest, type FieldProblem, problemsError } from '../../platform/kit/errors/api-error.ts';
import { notOneOf } from '../../platform/kit/errors/input-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { type ChatReply, createChatClient, type MessageFile } from '../../platform/upstream/chat-post.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import {
  type AttachmentMeta,
  attachmentName,
  FEEDBACK_CATEGORIES,
  FEEDBACK_RETRIES,
  type FeedbackEntry,
  type FeedbackFields,
  type FieldFault,
  feedbackMessage,
  IMAGE_TYPES,
  type ImageType,
  OUTBOX_TTL_SECONDS,
  parseFields,
  sanitizeFilename,
} from './feedback.domain.ts';
import type { AttachmentStore, FeedbackStore } from './feedback.store.ts';

const ATTACHMENTS = 'attachments';

/** A valid submission with the bytes of its attachments. */
interface Submission {
  fields: FeedbackFields;
  attachments: (AttachmentMeta & { bytes: Uint8Array<ArrayBuffer> })[];
}

interface FeedbackServiceDeps {
  entries: FeedbackStore;
  store: AttachmentStore;
  outbox: Pick<FeedbackOutbox, 'insertion'>;
  newId(): string;
}

export type FeedbackService = ReturnType<typeof createFeedbackService>;

export function createFeedbackService({ entries, store, outbox, newId }: FeedbackServiceDeps) {
  return {
    /** Validates a form. Throws 422 for invalid texts, and 400 for an unknown category or an invalid attachment. */
    check(form: Form): Submission {
      const parsed = parseFields(form.fields);
      if (!parsed.ok) throw toError(parsed.faults);
      if (form.fields.get(ATTACHMENTS)) throw badRequest(`${ATTACHMENTS} must be files`);
      return { fields: parsed.fields, attachments: form.files.map(checkAttachment) };
    },

    /** Stores a submission and queues it for the chat. `isQueued`: false without a configured chat webhook. */
    async store(
      { fields, attachments }: Submission,
      { os, client }: UserAgentLabels,
      settings: Settings,
      now: UnixSeconds,
    ): Promise<{ id: string; isQueued: boolean }> {
      const id = newId();
      const metas = attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size }));
      const entry: FeedbackEntry = { id, ...fields, os, client, attachments: metas, receivedAt: now };
      if (settings.feedbackChatWebhook === '') {
        await entries.save(entry);
        return { id, isQueued: false };
      }
      try {
        // Sequential, because the memory of an isolate is limited.
        for (const [index, { bytes }] of attachments.entries()) await store.put(entry, index, bytes);
        await entries.save(entry, outbox.insertion({ key: id, expiresAt: now + OUTBOX_TTL_SECONDS }, now));
      } catch (error) {
        await store.remove(entry, attachments.length).catch(() => {});
        throw error;
      }
      return { id, isQueued: true };
    },
  };
}

function checkAttachment({ field, filename, contentType, bytes }: FormFile): AttachmentMeta & { bytes: Uint8Array<ArrayBuffer> } {
  const safeName = sanitizeFilename(filename);
  if (field !== ATTACHMENTS) throw badRequest(`${safeName} was sent as ${field.slice(0, 40)}; send files as ${ATTACHMENTS}`);
  if (!isImageType(contentType))
    throw badRequest(`${safeName} must be a PNG, JPEG, WebP or GIF image`, { filename: safeName, allowed: IMAGE_TYPES });
  const actual = imageTypeOf(bytes);
  if (!actual) throw badRequest(`${safeName} must contain a PNG, JPEG, WebP or GIF image`, { filename: safeName, allowed: IMAGE_TYPES });
  // Declared types come from file extensions, so the content decides.
  return { filename: safeName, contentType: actual, size: bytes.byteLength, bytes };
}

function isImageType(text: string): text is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(text);
}

/** 422 with a text of invalid length; 400 when only the category is unknown. */
function toError(faults: readonly FieldFault[]): Error {
  const isBadRequest = faults.every(({ field }) => field === 'category');
  return problemsError(isBadRequest ? 'bad_request' : 'validation_error', faults.map(toProblem));
}

function toProblem(given: FieldFault): FieldProblem {
  const loc = ['body', given.field];
  if (given.field === 'category') return notOneOf(loc, given.value, FEEDBACK_CATEGORIES);
  const { fault, limit } = given;
  if (fault === 'missing') return { loc, msg: 'is required', type: 'missing' };
  if (fault === 'too_short') return { loc, msg: `must have at least ${limit} characters`, type: 'too_small' };
  return { loc, msg: `must have at most ${limit} characters`, type: 'too_big' };
}

/** Lease of an attempt in seconds, longer than any attempt. */
const LEASE_SECONDS = 60;
const BATCH_SIZE = 20;

interface FeedbackOutboxDeps {
  outbox: Outbox;
  entries: FeedbackStore;
  store: AttachmentStore;
  webhook: ChatWebhook;
  /** URL shared by the embeds of one message, which groups them. */
  groupUrl: string;
}

interface FeedbackAttempt extends Attempt {
  settings: Settings;
  signal: AbortSignal;
}

/** Forwards stored entries to the chat; keys are entry ids. */
export interface FeedbackOutbox extends OutboxQueue<FeedbackAttempt> {
  /** Deletes expired queue entries, and attachments left behind by a crash. */
  cleanUp(now: UnixSeconds): Promise<void>;
}

export function createFeedbackOutbox({ outbox, entries, store, webhook, groupUrl }: FeedbackOutboxDeps): FeedbackOutbox {
  /** Attachments that still exist. Missing ones are omitted from the message. */
  async function loadFiles(entry: FeedbackEntry): Promise<{ entry: FeedbackEntry; files: MessageFile[] }> {
    const stored = await Promise.all(entry.attachments.map((_, index) => store.get(entry, index)));
    const existing = entry.attachments.flatMap((meta, index) => {
      const bytes = stored[index];
      return bytes ? [{ meta, bytes }] : [];
    });
    const files = existing.map(({ meta, bytes }, index) => ({
      name: attachmentName(index, meta),
      contentType: meta.contentType,
      ...bytes,
    }));
    return { entry: { ...entry, attachments: existing.map(({ meta }) => meta) }, files };
  }

  const queue = outbox.kind<FeedbackAttempt>({
    name: 'feedback',
    policy: FEEDBACK_RETRIES,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    // Sequential, because the memory of an isolate is limited.
    concurrency: 1,
    isReady: ({ settings }) => settings.feedbackChatWebhook !== '',

    async deliver({ key }, { settings, signal }) {
      const stored = await entries.find(key);
      if (!stored) return { kind: 'done' };
      const { entry, files } = await loadFiles(stored);
      return webhook(settings.feedbackChatWebhook, feedbackMessage(entry, groupUrl), files, signal);
    },

    async afterEnd(key) {
      const entry = await entries.find(key);
      if (entry) await store.remove(entry, entry.attachments.length);
    },
  });

  return {
    ...queue,

    async cleanUp(now) {
      const expired = await queue.deleteExpired(now);
      if (expired > 0) logError('feedback was not forwarded in time', new Error('too old'), { entries: expired });
      await store.deleteExpired(now - OUTBOX_TTL_SECONDS);
    },
  };
}

/** Attempts to post a message. Does not throw: errors are results. */
type ChatWebhook = (url: string, message: object, files: readonly MessageFile[], signal: AbortSignal) => Promise<DeliveryOutcome>;

const SOURCE = 'feedback-webhook';
const TIMEOUT_SECONDS = 20;

/** Posts feedback to a Discord webhook. */
export function createChatWebhook(upstream: UpstreamClient, newId: () => string, baseUrlOverride: string | null): ChatWebhook {
  const post = createChatClient(upstream, newId, baseUrlOverride);
  return async (url, message, files, signal) =>
    resultOf(await post({ source: SOURCE, url, message, files, signal, timeoutSeconds: TIMEOUT_SECONDS }));
}

function resultOf({ status, reason, retryAfterSeconds }: ChatReply): DeliveryOutcome {
  if (reason === null) return { kind: 'done' };
  const mayPass = status === null ? reason !== 'bad_address' : status >= 500 || status === 429 || status === 408;
  return mayPass ? { kind: 'retry', reason, retryAfterSeconds } : { kind: 'refused', reason };
}
