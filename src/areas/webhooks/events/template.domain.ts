import { escapeMarkup, truncateText } from '../../../platform/events/chat-values.ts';
import type { EventType } from '../../../platform/events/event-declaration.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** Values of an event by placeholder. Null: unknown, shown as empty. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean | null>>;

/** A line of an embed: a name above a value. */
interface TemplateField {
  name: string;
  value: string;
  /** Whether the field is shown beside others. */
  inline: boolean;
}

/** Message template of an event. Texts contain placeholders; empty texts are omitted. */
export interface Template {
  /** False: the event's default embed is posted instead. */
  enabled: boolean;
  /** Text above the embed. */
  content: string;
  title: string;
  /** Link of the title. */
  url: string;
  description: string;
  /** `#RRGGBB`, `RRGGBB` or a decimal number; other values are ignored. */
  color: string;
  fields: TemplateField[];
  footer: string;
  show_image: boolean;
  /** Design of the account, drawn for each post. */
  image_design_id: string | null;
  /** URL of an image; used without a design. */
  image_url: string;
}

export const BLANK_TEMPLATE: Template = {
  enabled: false,
  content: '',
  title: '',
  url: '',
  description: '',
  color: '',
  fields: [],
  footer: '',
  show_image: true,
  image_design_id: null,
  image_url: '',
};

/** Templates by event. */
export type Templates = Partial<Record<EventType, Template>>;

/** Limits of a message in the chat service, in characters. */
export const MESSAGE_LIMITS = {
  content: 2000,
  title: 256,
  description: 4096,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  fields: 25,
  /** Title, description, footer, names and values together. */
  embed: 6000,
} as const;

/** Maximum length of a URL in a template and in a message, in characters. */
export const MAX_TEMPLATE_URL_LENGTH = 2000;
export const MAX_COLOR_LENGTH = 16;
const MAX_COLOR = 0xffffff;
/** Maximum length of a design id. */
export const MAX_DESIGN_ID_LENGTH = 64;

/** Invisible: the chat service rejects empty names and values. */
const ZERO_WIDTH_SPACE = '\u200b';

/** File name of the attached image. */
export const ATTACHED_IMAGE = 'embed-image.png';

/** Maximum size of an attached image; the chat service rejects larger files. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

/** An embed in the format of the chat service. */
export interface Embed {
  title?: string;
  url?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string; inline: boolean }[];
  footer?: { text: string };
  image?: { url: string };
}

/** A posted message. Mentions are always disabled. */
export interface ChatMessage {
  content?: string;
  embeds: Embed[];
  allowed_mentions: { parse: [] };
}

/** Image of an embed: attached, by URL, or none. */
export type EmbedImage = { kind: 'attached' } | { kind: 'linked'; url: string } | { kind: 'none' };

/** Renders the message of an event. When all texts are empty, the embed has an invisible description. */
export function renderMessage(template: Template, variables: TemplateVariables, image: EmbedImage): ChatMessage {
  const fill = (text: string) => fillPlaceholders(text, variables, escapeMarkup).trim();
  const content = truncateText(fill(template.content), MESSAGE_LIMITS.content);
  const embed = renderEmbed(template, variables, image);
  const isEmpty = Object.keys(embed).every((part) => part === 'color' || part === 'url');
  const embeds = isEmpty ? (content === '' ? [{ ...embed, description: ZERO_WIDTH_SPACE }] : []) : [embed];
  return { ...(content === '' ? {} : { content }), embeds, allowed_mentions: { parse: [] } };
}

/** The message with the time at which its states and countdowns were true. */
export function datedMessage(message: ChatMessage, asOf: UnixSeconds): ChatMessage {
  const content = [`As of ${chatTimestamp(asOf, 'f')}:`, ...(message.content === undefined ? [] : [message.content])].join('\n');
  return { ...message, content: truncateText(content, MESSAGE_LIMITS.content) };
}

function renderEmbed(template: Template, variables: TemplateVariables, image: EmbedImage): Embed {
  const fill = (text: string) => fillPlaceholders(text, variables, escapeMarkup).trim();
  const allowance = new TextAllowance(MESSAGE_LIMITS.embed);
  const title = allowance.reserve(fill(template.title), MESSAGE_LIMITS.title);
  const description = allowance.reserve(fill(template.description), MESSAGE_LIMITS.description);
  const fields = template.fields
    .slice(0, MESSAGE_LIMITS.fields)
    .flatMap(({ name, value, inline }) => allowance.reserveField(fill(name), fill(value), inline));
  const footer = allowance.reserve(fill(template.footer), MESSAGE_LIMITS.footer);
  const url = title === '' ? null : normalizeUrl(fillPlaceholders(template.url, variables, (value) => value));
  const color = colorOf(template.color);
  const imageUrl = image.kind === 'linked' ? normalizeUrl(fillPlaceholders(image.url, variables, (value) => value)) : null;
  return {
    ...(title === '' ? {} : { title }),
    ...(url === null ? {} : { url }),
    ...(description === '' ? {} : { description }),
    ...(color === null ? {} : { color }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(footer === '' ? {} : { footer: { text: footer } }),
    ...(image.kind === 'attached' ? { image: { url: `attachment://${ATTACHED_IMAGE}` } } : {}),
    ...(imageUrl === null ? {} : { image: { url: imageUrl } }),
  };
}

/** Limits the total length of the texts of an embed, in the order of its fields. */
class TextAllowance {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  reserve(text: string, max: number): string {
    const reserved = truncateText(text, Math.min(max, this.#left));
    this.#left -= reserved.length;
    return reserved;
  }

  /** A field; none when it is empty or no characters are left. An empty name or value becomes a zero-width space. */
  reserveField(name: string, value: string, inline: boolean): { name: string; value: string; inline: boolean }[] {
    if ((name === '' && value === '') || this.#left < 2) return [];
    const shownName = this.#reserveVisible(name, Math.min(MESSAGE_LIMITS.fieldName, this.#left - 1));
    const shownValue = this.#reserveVisible(value, MESSAGE_LIMITS.fieldValue);
    return [{ name: shownName, value: shownValue, inline }];
  }

  #reserveVisible(text: string, max: number): string {
    const reserved = truncateText(text, Math.min(max, this.#left)) || ZERO_WIDTH_SPACE;
    this.#left -= reserved.length;
    return reserved;
  }
}

/** Colour of a template as a number; null when it is not a colour. */
export function colorOf(text: string): number | null {
  const trimmed = text.trim();
  const hex = /^#?([0-9a-f]{6})$/i.exec(trimmed)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const number = /^\d{1,8}$/.test(trimmed) ? Number(trimmed) : MAX_COLOR + 1;
  return number <= MAX_COLOR ? number : null;
}

/** A normalized http(s) URL; null for other texts. */
function normalizeUrl(text: string): string | null {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return null;
  const address = URL.parse(trimmed)?.href ?? '';
  return address !== '' && address.length <= MAX_TEMPLATE_URL_LENGTH ? address : null;
}

/** `{name}`, or `{name:S}` with a style. */
const PLACEHOLDER = /\{(\w+)(?::([^{}\s]{0,16}))?\}/g;
/** Styles of chat timestamps, which the chat service shows in the reader's time zone. */
const TIMESTAMP_STYLES = 'tTdDfFR';

/**
 * Replaces the placeholders of a text once; placeholders in values are not replaced. Unknown names and null become empty. A style turns a
 * whole number into a timestamp and is ignored for other values. `encode` escapes a value for its context; `showInstant` formats a
 * timestamp.
 */
export function fillPlaceholders(
  text: string,
  variables: TemplateVariables,
  encode: (value: string, name: string) => string,
  showInstant = chatTimestamp,
): string {
  return text.replace(PLACEHOLDER, (_, name: string, style: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : null;
    if (value === null || value === undefined) return '';
    const isInstant = typeof value === 'number' && Number.isSafeInteger(value) && style?.length === 1 && TIMESTAMP_STYLES.includes(style);
    return isInstant ? showInstant(value, style) : encode(String(value), name);
  });
}

const chatTimestamp = (instant: number, style: string) => `<t:${instant}:${style}>`;

/** Source of the image of a message. A null design is the default banner. */
type ImagePlan = { kind: 'drawn'; designId: string | null } | { kind: 'linked'; url: string } | { kind: 'none' };

/** Events with a default banner. */
const WITH_BANNER: readonly EventType[] = ['game_update'];

/** A design takes precedence over an image URL, an image URL over the default banner. `canDraw`: whether drawing is enabled. */
export function imagePlanOf(template: Template, event: EventType, canDraw: boolean): ImagePlan {
  const { show_image: isShown, image_design_id: designId, image_url: url } = template;
  if (!isShown) return { kind: 'none' };
  if (designId !== null) return canDraw ? { kind: 'drawn', designId } : { kind: 'none' };
  if (url !== '') return { kind: 'linked', url };
  return canDraw && WITH_BANNER.includes(event) ? { kind: 'drawn', designId: null } : { kind: 'none' };
}
