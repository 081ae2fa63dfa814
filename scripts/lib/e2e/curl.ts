import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a shell says of a program that it does not find. */
const NOT_FOUND = 127;

interface CurlResponse {
  status: number;
  body: string;
}

/** What curl says to a command line, such as the portal shows: status and body. A machine without curl asks as the line says. */
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

/** Lines such as `curl -H 'Name: value' URL`. */
async function withoutCurl(command: string): Promise<CurlResponse> {
  const headers = [...command.matchAll(/-H ['"]([^:'"]+): ([^'"]*)['"]/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  const url = /https?:\/\/[^\s'"]+/.exec(command)?.[0];
  if (url === undefined) throw new Error('the line names no address');
  const answer = await fetch(url, { headers });
  return { status: answer.status, body: await answer.text() };
}

/** What curl is answered with a token. */
export const curlWith = (secret: string, url: string) => curl(`curl -H 'Authorization: Bearer ${secret}' ${url}/v1/token`);
