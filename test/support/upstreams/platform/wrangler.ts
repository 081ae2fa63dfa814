import { writeFileSync } from 'node:fs';
import { CommandError, type CommandResult } from '../../../../scripts/lib/commands.ts';
import type { VersionBinding } from './account.ts';
import type { Platform } from './platform.ts';
import { ACCOUNT_ID } from './routes.ts';

/** A replacement for wrangler: sends the one request of a command that matters, without building the Worker. */
export function quickWrangler(platform: Platform, worker: string, bindings: readonly VersionBinding[] = []) {
  const script = `/workers/scripts/${worker}`;
  const metadata = JSON.stringify({ bindings, keep_bindings: ['secret_text'] });
  const upload = `--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${metadata}\r\n--x--`;
  const send = async (method: string, path: string, body: string) => {
    const headers = { Authorization: `Bearer ${platform.env.CLOUDFLARE_API_TOKEN}` };
    const response = await fetch(`${platform.api}/accounts/${ACCOUNT_ID}${path}`, { method, body, headers });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return ((await response.json()) as { result: { id: string } }).result;
  };
  return async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> => {
    try {
      if (args[0] === 'versions') {
        const { id } = await send('POST', `${script}/versions`, upload);
        writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH ?? '', JSON.stringify({ type: 'version-upload', version_id: id }));
      } else if (args[0] === 'deploy') await send('PUT', script, upload);
      else await send('PUT', `${script}/schedules`, '[]');
    } catch (error) {
      throw new CommandError(`wrangler ${args.slice(0, 2).join(' ')} failed`, String(error));
    }
    return { code: 0, output: '', stdout: '' };
  };
}
