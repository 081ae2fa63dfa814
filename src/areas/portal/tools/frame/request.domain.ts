/** The request to the API that returns what a tool shows. */
export interface ToolRequest {
  method: 'GET' | 'POST';
  /** Path of the endpoint, with its query. */
  path: string;
  /** JSON; absent for GET. */
  body?: unknown;
  /** The endpoint requires a token. */
  needsToken?: boolean;
}

/** The request as a command line for a shell. */
export function curlOf({ method, path, body, needsToken = false }: ToolRequest, baseUrl: string): string {
  const parts = [`curl ${method === 'POST' ? '-X POST ' : ''}${quote(`${baseUrl}${path}`)}`];
  if (needsToken) parts.push(`-H "Authorization: Bearer $GAME_DATA_TOKEN"`);
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}

/** Single quotes keep everything but themselves. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
