const MAX_NAME_LENGTH = 80;
const DEFAULT_NAME = 'mod';

/** File name of a mod: the title, as the game requires, without characters that file systems reject. */
export function modFilename(title: string): string {
  const name = title
    .replaceAll(/[^A-Za-z0-9._ -]/g, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return `${name === '' ? DEFAULT_NAME : name}.tmod`;
}
