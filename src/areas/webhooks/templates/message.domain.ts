import { fillPlaceholders } from './placeholders.domain.ts';
import { ATTACHED_IMAGE, MAX_COLOR, MAX_TEMPLATE_URL_LENGTH, MESSAGE_LIMITS, ZERO_WIDTH_SPACE } from './template.data.ts';
import type { Template, TemplateVariables } from './template.domain.ts';

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

/** The message of an event. A template that leaves nothing to show gives an embed that shows nothing but a dot of colour. */
export function renderMessage(template: Template, variables: TemplateVariables, image: EmbedImage): ChatMessage {
  const fill = (text: string) => fillPlaceholders(text, variables, harmless).trim();
  const content = cutTo(fill(template.content), MESSAGE_LIMITS.content);
  const embed = renderEmbed(template, variables, image);
  const isEmpty = Object.keys(embed).every((part) => part === 'color' || part === 'url');
  const embeds = isEmpty ? (content === '' ? [{ ...embed, description: ZERO_WIDTH_SPACE }] : []) : [embed];
  return { ...(content === '' ? {} : { content }), embeds, allowed_mentions: { parse: [] } };
}

function renderEmbed(template: Template, variables: TemplateVariables, image: EmbedImage): Embed {
  const fill = (text: string) => fillPlaceholders(text, variables, harmless).trim();
  const budget = new TextBudget(MESSAGE_LIMITS.embed);
  const title = budget.take(fill(template.title), MESSAGE_LIMITS.title);
  const description = budget.take(fill(template.description), MESSAGE_LIMITS.description);
  const fields = template.fields
    .slice(0, MESSAGE_LIMITS.fields)
    .flatMap(({ name, value, inline }) => budget.takeField(fill(name), fill(value), inline));
  const footer = budget.take(fill(template.footer), MESSAGE_LIMITS.footer);
  const url = title === '' ? null : webAddress(fillPlaceholders(template.url, variables, String));
  const color = colorOf(template.color);
  const picture = image.kind === 'linked' ? webAddress(fillPlaceholders(image.url, variables, String)) : null;
  return {
    ...(title === '' ? {} : { title }),
    ...(url === null ? {} : { url }),
    ...(description === '' ? {} : { description }),
    ...(color === null ? {} : { color }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(footer === '' ? {} : { footer: { text: footer } }),
    ...(image.kind === 'attached' ? { image: { url: `attachment://${ATTACHED_IMAGE}` } } : {}),
    ...(picture === null ? {} : { image: { url: picture } }),
  };
}

/** Hands out the characters that the texts of an embed may have together, in the order of its parts. */
class TextBudget {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  take(text: string, max: number): string {
    const taken = cutTo(text, Math.min(max, this.#left));
    this.#left -= taken.length;
    return taken;
  }

  /** A field, or none when it is empty or nothing is left for it. The side that is missing gets a character nobody sees. */
  takeField(name: string, value: string, inline: boolean): { name: string; value: string; inline: boolean }[] {
    if ((name === '' && value === '') || this.#left < 2) return [];
    const shownName = this.#takeVisible(name, Math.min(MESSAGE_LIMITS.fieldName, this.#left - 1));
    const shownValue = this.#takeVisible(value, MESSAGE_LIMITS.fieldValue);
    return [{ name: shownName, value: shownValue, inline }];
  }

  #takeVisible(text: string, max: number): string {
    const taken = cutTo(text, Math.min(max, this.#left)) || ZERO_WIDTH_SPACE;
    this.#left -= taken.length;
    return taken;
  }
}

/** At most so many characters, without half a pair at the end and without spaces there. */
export function cutTo(text: string, max: number): string {
  if (text.length <= max) return text;
  const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(max - 1));
  return text.slice(0, isPairCut ? max - 1 : max).trimEnd();
}

/**
 * Escapes a third-party value in markup of the chat service: zero-width characters prevent links with hidden targets, mentions and
 * timestamps, also where two values touch.
 */
export function harmless(value: string): string {
  return value
    .replace(/\](?=\(|$)/g, `]${ZERO_WIDTH_SPACE}`)
    .replace(/^\(/, `${ZERO_WIDTH_SPACE}(`)
    .replace(/<(?=[@#&:/]|[a-z]{1,2}:|$)/gi, `<${ZERO_WIDTH_SPACE}`)
    .replace(/@(?=everyone|here|$)/gi, `@${ZERO_WIDTH_SPACE}`);
}

/** Colour of a template as a number; null when it is none. */
export function colorOf(text: string): number | null {
  const trimmed = text.trim();
  const hex = /^#?([0-9a-f]{6})$/i.exec(trimmed)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const number = /^\d{1,8}$/.test(trimmed) ? Number(trimmed) : MAX_COLOR + 1;
  return number <= MAX_COLOR ? number : null;
}

/** An address that the chat service takes for a link, in its standard form; null for anything else. */
function webAddress(text: string): string | null {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return null;
  const address = URL.parse(trimmed)?.href ?? '';
  return address !== '' && address.length <= MAX_TEMPLATE_URL_LENGTH ? address : null;
}
