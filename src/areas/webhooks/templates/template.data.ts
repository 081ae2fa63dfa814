/** Longest parts of a message that the chat service takes, in characters. */
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

/** Longest address in a template and in a message. */
export const MAX_TEMPLATE_URL_LENGTH = 2000;
export const MAX_COLOR_LENGTH = 16;
export const MAX_COLOR = 0xffffff;
/** Longest id of a design. */
export const MAX_DESIGN_ID_LENGTH = 64;

/** A character that is there and cannot be seen: the chat service refuses empty names and values. */
export const ZERO_WIDTH_SPACE = '\u200b';

/** Name under which a drawn image is attached. */
export const ATTACHED_IMAGE = 'embed-image.png';

/** Largest picture that is attached: the chat service takes no larger file. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
