import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hasPip } from '../../scripts/lib/clients/python-client.ts';
import { runCommand } from '../../scripts/lib/commands.ts';
import { UserError } from '../../scripts/lib/main.ts';
import { installCommands } from '../../src/platform/http/pages/client-packages.ts';
import type { Snippet } from './snippets.ts';

const TYPESCRIPT_IMPORT = / from 'game-data-api';$/m;

/** Folders of the client libraries that programs import. */
export interface ClientFolders {
  /** The package `game-data-api`. */
  typescript: string;
  /** The folder with the module `game_data_api`. */
  python: string;
}

/** Makes npm and pip install from URLs alone, pip into the folder. Neither may need a registry. */
export const installEnv = (folder: string): Record<string, string> => ({
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
  npm_config_cache: join(folder, '.npm'),
  PIP_TARGET: join(folder, 'site'),
  PIP_NO_INDEX: '1',
  PIP_NO_CACHE_DIR: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
});

/** Installs the client libraries from a server into an empty folder, as the guides say. Without pip, Python programs use the checkout. */
export async function installClients(baseUrl: string, folder: string, checkout: ClientFolders): Promise<ClientFolders> {
  const commands = installCommands(baseUrl);
  const install = async (command: string) => {
    const { code, output } = await runCommand('bash', ['-c', command], { cwd: folder, env: installEnv(folder) });
    if (code !== 0) throw new UserError(`${command}\n${output}`);
    console.log(`  ok   ${command}`);
  };
  await install(commands.typescript);
  const typescript = join(folder, 'node_modules', 'game-data-api');
  if (!hasPip()) return { typescript, python: checkout.python };
  await install(commands.python);
  return { typescript, python: join(folder, 'site') };
}

/** Whether a snippet, or a program that an earlier block of its page saved, imports the TypeScript client. */
export function importsTypescriptClient({ text, saved }: Pick<Snippet, 'text' | 'saved'>): boolean {
  return [text, ...saved.map((file) => file.text)].some((program) => TYPESCRIPT_IMPORT.test(program));
}

/** Makes `import … from 'game-data-api'` resolve to the package for programs in the folder. */
export function linkTypescriptClient(folder: string, client: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  // A junction needs no privileges on Windows; elsewhere the type is ignored.
  symlinkSync(client, join(packages, 'game-data-api'), 'junction');
}
