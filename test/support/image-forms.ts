import { env } from 'cloudflare:workers';

/** A sample image of `test/fixtures/ocr`. */
export function imageBytes(name: string): Uint8Array<ArrayBuffer> {
  const bytes: unknown = Reflect.get(env, name);
  if (!(bytes instanceof ArrayBuffer)) throw new Error(`image not found: ${name}`);
  return new Uint8Array(bytes.slice());
}

/** An encoded form with a sample image. */
export function imageForm(name: string, type: string): { body: Uint8Array<ArrayBuffer>; contentType: string } {
  const boundary = 'sample-boundary';
  const encode = (text: string) => new TextEncoder().encode(text);
  const head = encode(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`);
  return {
    body: new Uint8Array([...head, ...imageBytes(name), ...encode(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
