import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What curl says to a command line, such as the portal shows: status and body. */
export async function curl(command: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('sh', ['-c', `${command} -s -w '\\n%{http_code}'`]);
  const cut = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(cut + 1)), body: stdout.slice(0, cut) };
}

/** What curl is answered with a token. */
export const curlWith = (secret: string, url: string) => curl(`curl -H 'Authorization: Bearer ${secret}' ${url}/v1/token`);
