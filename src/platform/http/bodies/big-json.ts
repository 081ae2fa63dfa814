import { badRequest } from '../../kit/errors/api-error.ts';
import { InputError } from '../../kit/errors/input-error.ts';
import { decodeBase64InPlace, decodeBase64LiteralInPlace } from '../../kit/values/base64.ts';
import { JsonReader, MalformedJson } from '../../kit/values/json-reader.ts';
import { checkJsonBody, malformedJson } from './body.ts';

/** Longer string literals stay undecoded. Every text field is shorter, even if all its characters are escaped. */
const MIN_LONG_LITERAL_BYTES = 512 * 1024;
/** Maximum size of a body without its long literals, in bytes. Parsed objects take more memory than their text. */
const MAX_REST_BYTES = 8 * 1024 * 1024;

/** An undecoded string of a JSON body: the bytes of the literal between its quotes. */
export class LongText {
  readonly literal: Uint8Array<ArrayBuffer>;

  constructor(literal: Uint8Array<ArrayBuffer>) {
    this.literal = literal;
  }
}

/** Base64 in a parsed body. */
export type Base64Text = string | LongText;

/**
 * Parses a JSON body that contains files as base64. Strings of 512 KiB and more stay undecoded as `LongText`, a view of the body, so a
 * body of 40 MiB needs little additional memory. Throws 400 like `parseJsonBody`, also for values nested more than 200 levels deep.
 */
export function parseBigJson(bytes: Uint8Array<ArrayBuffer>, contentType: string | null): unknown {
  checkJsonBody(bytes, contentType);
  try {
    const json = new JsonReader(bytes, { maxRestBytes: MAX_REST_BYTES });
    const value = readValue(json);
    json.end();
    return value;
  } catch (error) {
    if (error instanceof MalformedJson) throw malformedJson();
    if (error instanceof InputError) throw badRequest(`the request body ${error.message}`);
    throw error;
  }
}

/** Decodes base64; null if it is invalid. A `LongText` is a view of the body, so decoding overwrites the body. */
export function decodeBase64Text(text: Base64Text): Uint8Array<ArrayBuffer> | null {
  return typeof text === 'string'
    ? decodeBase64InPlace(new Uint8Array(new TextEncoder().encode(text)))
    : decodeBase64LiteralInPlace(text.literal);
}

function readValue(json: JsonReader<ArrayBuffer>): unknown {
  switch (json.kind()) {
    case 'object': {
      const members: [string, unknown][] = [];
      for (const name of json.members()) members.push([name, readValue(json)]);
      return Object.fromEntries(members);
    }
    case 'array': {
      const items: unknown[] = [];
      for (const _index of json.items()) items.push(readValue(json));
      return items;
    }
    case 'string': {
      const literal = json.literal(MIN_LONG_LITERAL_BYTES);
      return literal ? new LongText(literal) : json.string();
    }
    case 'number':
      return json.number();
    case 'literal':
      return json.constant();
  }
}
