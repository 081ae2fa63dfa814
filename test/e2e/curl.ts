import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Exit code of a shell when a program is not found. */
const NOT_FOUND = 127;

interface CurlResponse {
  status: number;
  body: string;
}

/** Runs a curl command line, such as those in the portal, and returns status and body. Without curl, sends the same request with fetch. */
export async function curl(command: string): Promise<CurlResponse> {
  try {
    const { stdout } = await run('sh', ['-c', `${command} -s -w '\\n%{http_code}'`]);
    const cut = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(cut + 1)), body: stdout.slice(0, cut) };
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
    return withoutCurl(command);
  }
}

/** Sends the request of a line such as `curl -H 'Name: value' URL`. */
async function withoutCurl(command: string): Promise<CurlResponse> {
  const headers = [...command.matchAll(/-H ['"]([^:'"]+): ([^'"]*)['"]/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  const url = /https?:\/\/[^\s'"]+/.exec(command)?.[0];
  if (url === undefined) throw new Error('the command line has no URL');
  const response = await fetch(url, { headers });
  return { status: response.status, body: await response.text() };
}

/** Response of `/v1/token` for a token, requested with curl. */
export const curlWith = (secret: string, url: string) => curl(`curl -H 'Authorization: Bearer ${secret}' ${url}/v1/token`);
