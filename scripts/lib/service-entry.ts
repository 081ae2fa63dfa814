import { objectClasses } from './config.ts';

/**
 * Adds `globalThis.forgetService` to the code of `src/index.ts`, or of its bundle. The function drops the service of the isolate with its
 * caches, as if the isolate were new.
 */
export function withForgetService(code: string): string {
  const name = /^(?:var|let) (service\d*)\b/m.exec(code)?.[1];
  if (name === undefined) throw new Error('The entry has no variable of the service.');
  return `${code}\nglobalThis.forgetService = () => { ${name} = undefined; };\n`;
}

/** Adds the export of every object class to the code of an entry, which has them in `objects`: the runtime needs static names. */
export function withObjectExports(code: string): string {
  return `${code}\nexport const { ${objectClasses().join(', ')} } = objects;\n`;
}
