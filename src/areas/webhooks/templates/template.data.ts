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
export const MAX_COLOR = 0xffffff;
/** Maximum length of a design id. */
export const MAX_DESIGN_ID_LENGTH = 64;

/** Invisible character: the chat service rejects empty names and values. */
export const ZERO_WIDTH_SPACE = '\u200b';

/** File name of the attached image. */
export const ATTACHED_IMAGE = 'embed-image.png';

/** Maximum size of an attached image; the chat service rejects larger files. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
