/** Maximum length of a title in a file name; file systems limit names to 255 characters. */
const MAX_TITLE_LENGTH = 240;

/** A text without the characters that file systems reject. */
export const fileSafe = (text: string): string => text.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '');

/** File name of a `.tmod` file: its title, which the game compares with the name; null if no character of the title can stand in one. */
export function titleFilename(title: string): string | null {
  const name = fileSafe(title)
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return name === '' ? null : `${name}.tmod`;
}
