import type { RetryPolicy } from '../../platform/durable/retry-policy.domain.ts';
import { escapeMarkup, truncateText } from '../../platform/events/chat-values.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Kinds of feedback. */
export const FEEDBACK_CATEGORIES = namedValues('FeedbackCategory', 'Kind of feedback.', ['bug', 'feature', 'general']);
export type FeedbackCategory = (typeof FEEDBACK_CATEGORIES)[number];

/** Colours of the chat messages. */
const CATEGORY_COLORS: Readonly<Record<FeedbackCategory, number>> = { bug: 0xf85149, feature: 0xd29922, general: 0x58a6ff };

/** Limits of a submission (specification "Limits"). */
export const MESSAGE_LENGTH = { min: 5, max: 2000 } as const;
export const MAX_CONTACT_LENGTH = 200;
export const MAX_APP_VERSION_LENGTH = 64;
export const MAX_ATTACHMENTS = 4;
export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
/** Four attachments, the text fields and the form encoding. */
export const MAX_FORM_BYTES = 24 * 1024 * 1024;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Maximum time of delivery in seconds; attachments are deleted afterwards. */
export const OUTBOX_TTL_SECONDS = 86_400;
/** A `Retry-After` longer than `longestPauseSeconds` is limited to it. */
export const FEEDBACK_RETRIES: RetryPolicy = { tries: 3, firstPauseSeconds: 60, factor: 10, longestPauseSeconds: 3600 };

/** Stored metadata of an attachment. */
export interface AttachmentMeta {
  filename: string;
  contentType: ImageType;
  size: number;
}

/** Text fields of a submission. */
export interface FeedbackFields {
  message: string;
  contact: string | null;
  category: FeedbackCategory;
  appVersion: string | null;
}

/** A stored submission. Contains nothing that identifies the sender. */
export interface FeedbackEntry extends FeedbackFields {
  id: string;
  os: string | null;
  client: string | null;
  attachments: AttachmentMeta[];
  receivedAt: UnixSeconds;
}

/** An invalid field: an unknown `category`, or a text of the wrong length. */
export type FieldFault =
  | { field: 'category'; value: string }
  | { field: 'message' | 'contact' | 'app_version'; fault: 'missing' | 'too_short' | 'too_long'; limit: number };

const MAX_FILENAME_LENGTH = 80;
const MAX_DESCRIPTION_LENGTH = 1500;
const MAX_CONTACT_FIELD_LENGTH = 1024;

/** Length in code points, not UTF-16 units. */
const lengthOf = (text: string) => [...text].length;

/** Parses the text fields of a form. Unknown fields are ignored. */
export function parseFields(
  fields: ReadonlyMap<string, string>,
): { ok: true; fields: FeedbackFields } | { ok: false; faults: FieldFault[] } {
  const message = fields.get('message')?.trim() ?? '';
  const contact = fields.get('contact')?.trim() ?? '';
  const appVersion = fields.get('app_version')?.trim() ?? '';
  const category = fields.get('category')?.trim() || 'general';
  const faults: FieldFault[] = [];
  if (!fields.has('message')) faults.push({ field: 'message', fault: 'missing', limit: MESSAGE_LENGTH.min });
  else if (lengthOf(message) < MESSAGE_LENGTH.min) faults.push({ field: 'message', fault: 'too_short', limit: MESSAGE_LENGTH.min });
  if (lengthOf(message) > MESSAGE_LENGTH.max) faults.push({ field: 'message', fault: 'too_long', limit: MESSAGE_LENGTH.max });
  if (lengthOf(contact) > MAX_CONTACT_LENGTH) faults.push({ field: 'contact', fault: 'too_long', limit: MAX_CONTACT_LENGTH });
  if (lengthOf(appVersion) > MAX_APP_VERSION_LENGTH)
    faults.push({ field: 'app_version', fault: 'too_long', limit: MAX_APP_VERSION_LENGTH });
  if (!isCategory(category)) return { ok: false, faults: [...faults, { field: 'category', value: category }] };
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, fields: { message, contact: contact || null, category, appVersion: appVersion || null } };
}

function isCategory(text: string): text is FeedbackCategory {
  return (FEEDBACK_CATEGORIES as readonly string[]).includes(text);
}

/** A safe file name: the last path segment, with all characters except ASCII letters, digits, `_`, `.` and `-` replaced. */
export function sanitizeFilename(raw: string): string {
  const name = raw.split(/[/\\]/).at(-1) ?? '';
  return (
    [...name]
      .map((character) => (/[A-Za-z0-9_.-]/.test(character) ? character : '_'))
      .slice(0, MAX_FILENAME_LENGTH)
      .join('') || 'image'
  );
}

/** Unique name of an attachment in the chat message. */
export function attachmentName(index: number, { filename }: AttachmentMeta): string {
  return `${index}_${filename}`;
}

interface Embed {
  [key: string]: unknown;
}

/** The chat message of an entry. `groupUrl`: the chat service shows embeds with the same URL as one card with several images. */
export function feedbackMessage(entry: FeedbackEntry, groupUrl: string): { embeds: Embed[]; allowed_mentions: { parse: string[] } } {
  const { id, message, category, os, client, appVersion, contact, attachments, receivedAt } = entry;
  const inline = (name: string, value: string | null) => (value === null ? [] : [{ name, value, inline: true }]);
  const images = attachments.map((attachment, index) => ({ url: `attachment://${attachmentName(index, attachment)}` }));
  const [first, ...others] = images;
  const main: Embed = {
    title: `New ${category} feedback`,
    description: escapeMarkup(truncate(message, MAX_DESCRIPTION_LENGTH)),
    color: CATEGORY_COLORS[category],
    fields: [
      ...inline('OS', os),
      ...inline('Client', client),
      ...inline('App version', appVersion && escapeMarkup(appVersion)),
      ...(contact === null
        ? []
        : [{ name: 'Contact', value: truncateText(escapeMarkup(contact), MAX_CONTACT_FIELD_LENGTH), inline: false }]),
    ],
    footer: { text: `id ${id}` },
    timestamp: new Date(receivedAt * 1000).toISOString(),
    ...(first ? { url: groupUrl, image: first } : {}),
  };
  return { embeds: [main, ...others.map((image) => ({ url: groupUrl, image }))], allowed_mentions: { parse: [] } };
}

function truncate(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length).join('')} …`;
}
