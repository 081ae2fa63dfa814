import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import {
  CATEGORY_COLORS,
  FEEDBACK_CATEGORIES,
  type FeedbackCategory,
  type ImageType,
  MAX_APP_VERSION_LENGTH,
  MAX_CONTACT_LENGTH,
  MESSAGE_LENGTH,
} from './feedback.data.ts';

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
    description: truncate(message, MAX_DESCRIPTION_LENGTH),
    color: CATEGORY_COLORS[category],
    fields: [
      ...inline('OS', os),
      ...inline('Client', client),
      ...inline('App version', appVersion),
      ...(contact === null ? [] : [{ name: 'Contact', value: contact.slice(0, MAX_CONTACT_FIELD_LENGTH), inline: false }]),
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
