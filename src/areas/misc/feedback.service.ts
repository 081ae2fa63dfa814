import { imageTypeOf } from '../../platform/http/bodies/image-type.ts';
import type { Form, FormFile } from '../../platform/http/bodies/multipart.ts';
import type { UserAgentLabels } from '../../platform/http/pipeline/user-agent.ts';
import { badRequest, type FieldProblem, problemsError } from '../../platform/kit/errors/api-error.ts';
import { notOneOf } from '../../platform/kit/errors/outside-set.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { AttachmentStore } from './attachments.repository.ts';
import { FEEDBACK_CATEGORIES, IMAGE_TYPES, type ImageType, OUTBOX_TTL_SECONDS } from './feedback.data.ts';
import {
  type AttachmentMeta,
  type FeedbackEntry,
  type FeedbackFields,
  type FieldFault,
  parseFields,
  sanitizeFilename,
} from './feedback.domain.ts';
import type { FeedbackRepository } from './feedback.repository.ts';
import type { FeedbackOutbox } from './feedback-outbox.service.ts';

const ATTACHMENTS = 'attachments';

/** A valid submission with the bytes of its attachments. */
export interface Submission {
  fields: FeedbackFields;
  attachments: (AttachmentMeta & { bytes: Uint8Array<ArrayBuffer> })[];
}

export interface FeedbackServiceDeps {
  repository: FeedbackRepository;
  store: AttachmentStore;
  outbox: Pick<FeedbackOutbox, 'insertion'>;
  newId(): string;
}

export interface FeedbackService {
  /** Validates a form. Throws 422 for invalid texts, and 400 for an unknown category or an invalid attachment. */
  check(form: Form): Submission;
  /** Stores a submission and queues it for the chat. `isQueued`: false without a configured chat webhook. */
  store(submission: Submission, sender: UserAgentLabels, settings: Settings, now: UnixSeconds): Promise<{ id: string; isQueued: boolean }>;
}

export function createFeedbackService({ repository, store, outbox, newId }: FeedbackServiceDeps): FeedbackService {
  return {
    check(form) {
      const parsed = parseFields(form.fields);
      if (!parsed.ok) throw toError(parsed.faults);
      if (form.fields.get(ATTACHMENTS)) throw badRequest(`${ATTACHMENTS} must be files`);
      return { fields: parsed.fields, attachments: form.files.map(checkAttachment) };
    },

    async store({ fields, attachments }, { os, client }, settings, now) {
      const id = newId();
      const metas = attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size }));
      const entry: FeedbackEntry = { id, ...fields, os, client, attachments: metas, receivedAt: now };
      if (settings.feedbackChatWebhook === '') {
        await repository.save(entry);
        return { id, isQueued: false };
      }
      try {
        // Sequential, because the memory of an isolate is limited.
        for (const [index, { bytes }] of attachments.entries()) await store.put(entry, index, bytes);
        await repository.save(entry, outbox.insertion({ key: id, expiresAt: now + OUTBOX_TTL_SECONDS }, now));
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
