import { namedValues } from '../values/named-values.ts';

/** Color themes of images that other sites embed. An image cannot read the theme of the page around it. */
export const IMAGE_THEMES = namedValues('ImageTheme', 'Color theme of an image.', ['dark', 'light'] as const);
export type ImageTheme = (typeof IMAGE_THEMES)[number];

/** Fonts of embedded images: images load none, so the first one that the reader has is used. */
export const IMAGE_FONTS = 'Open Sans,Segoe UI,Verdana,DejaVu Sans,Helvetica,Arial,sans-serif';
