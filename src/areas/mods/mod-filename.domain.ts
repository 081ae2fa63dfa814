const MAX_NAME_LENGTH = 80;
const DEFAULT_NAME = 'mod';

/** Name under which a container is saved. The game finds a mod by its title; what no file system takes is left out. */
export function modFilename(title: string): string {
  const name = title
    .replaceAll(/[^A-Za-z0-9._ -]/g, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return `${name === '' ? DEFAULT_NAME : name}.tmod`;
}
