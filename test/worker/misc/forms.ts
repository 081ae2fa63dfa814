import { encodedForm } from '../../support/forms.ts';
import { type CallOptions, call, type Fetch, type TestResponse } from '../../support/requests.ts';

export const PATH = '/v1/misc/feedback';
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
export const MEGABYTES_5 = 5 * 1024 * 1024;

/** A PNG signature padded to a size. */
export function png(size: number, fill = 7): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size).fill(fill);
  bytes.set(PNG.slice(0, size));
  return bytes;
}

export interface FormOptions {
  fields?: Record<string, string>;
  files?: { name: string; bytes: Uint8Array<ArrayBuffer>; type?: string; field?: string }[];
}

export function formOf({ fields = { message: 'Something is wrong.' }, files = [] }: FormOptions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes, type = 'image/png', field = 'attachments' } of files) form.append(field, new File([bytes], name, { type }));
  return form;
}

/** Sends a form with a Content-Length, as browsers do. */
export async function send(options: FormOptions & CallOptions, fetch?: Fetch): Promise<TestResponse> {
  const { body, headers } = await encodedForm(formOf(options));
  return call(PATH, { ...options, method: 'POST', body, headers: { ...headers, ...options.headers } }, fetch);
}

/** Code, message and details of an error response. */
export function errorOf({ text }: TestResponse): { code: string; message: string; details?: unknown } {
  return JSON.parse(text).error;
}
