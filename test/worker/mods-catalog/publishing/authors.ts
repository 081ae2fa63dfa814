import { encodedForm } from '../../../support/forms.ts';
import { approvePublishing } from '../../../support/projects.ts';
import { type CallOptions, call, type Fetch, fetchWorker, freshInstant } from '../../../support/requests.ts';
import { createSession } from '../../../support/sessions.ts';
import { packed } from '../catalog.ts';

let files = 0;

/** A `.tmod` file that no other call returns. */
export function distinctFile(): Uint8Array<ArrayBuffer> {
  files += 1;
  return packed(`authors ${files} ${crypto.randomUUID()}`, { title: 'Old title', author: 'Somebody' });
}

/** A file that starts like a ZIP and that no other call returns. */
export const distinctZip = () => new Uint8Array([0x50, 0x4b, 3, 4, ...crypto.getRandomValues(new Uint8Array(20))]);

/** A client with a credential. */
export interface Author {
  authorization: string;
  userId: string;
}

export async function newAuthor(options: Parameters<typeof createSession>[0] = {}): Promise<Author> {
  const { userId, credential } = await createSession(options);
  await approvePublishing(userId);
  return { authorization: `Bearer ${credential}`, userId };
}

/** Sends a request with a JSON body. */
export async function send(
  method: string,
  path: string,
  { authorization }: Pick<Author, 'authorization'>,
  body?: unknown,
  options: CallOptions = {},
  fetch: Fetch = fetchWorker,
) {
  const response = await call(path, { now: freshInstant(), ...options, method, authorization, json: body }, fetch);
  return { ...response, json: JSON.parse(response.text.startsWith('{') ? response.text : '{}') };
}

/** Sends a form with a file. */
export async function upload(
  path: string,
  { authorization }: Pick<Author, 'authorization'>,
  fields: Record<string, string>,
  file: Uint8Array<ArrayBuffer> = distinctFile(),
  { name = 'a.tmod', image, ...options }: CallOptions & { name?: string; image?: Uint8Array<ArrayBuffer> } = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([file], name));
  if (image) form.set('image', new File([image], 'a.png'));
  const { body, headers } = await encodedForm(form);
  const sent = { method: 'POST', authorization, body, headers: { ...headers, ...options.headers } };
  const response = await call(path, { now: freshInstant(), ...options, ...sent });
  return { ...response, json: JSON.parse(response.text) };
}

/** Invites the account of a handle to a project, and accepts. */
export async function join(project: { handle: string; slug: string }, owner: Author, member: Author, handle: string, role = 'author') {
  const invited = await send('POST', `/projects/${project.handle}/${project.slug}/members`, owner, { handle, role });
  if (invited.status !== 200) throw new Error(`${invited.status}: ${invited.text}`);
  const { items } = (await send('GET', '/mod-invitations', member)).json as { items: { id: string; mod: string }[] };
  const invitation = items.find(({ mod }) => mod === `${project.handle}/${project.slug}`);
  const accepted = await send('POST', `/mod-invitations/${invitation?.id}/accept`, member);
  if (accepted.status !== 200) throw new Error(`${accepted.status}: ${accepted.text}`);
}
