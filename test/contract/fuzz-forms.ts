import fc from 'fast-check';
import { type MediaTypeObject, type OpenApiDocument, resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import type { BodyPlan } from './fuzz-bodies.ts';
import { headerText, junkText } from './fuzz-texts.ts';

const BOUNDARY = 'x';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Invalid or incomplete forms. */
const EDGE_FORMS: readonly string[] = [
  '',
  `--${BOUNDARY}`,
  `--${BOUNDARY}--`,
  `--${BOUNDARY}--\r\n`,
  `--${BOUNDARY}\r\n\r\n--${BOUNDARY}--`,
  `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`,
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="message"\r\n\r\nnever ends`,
  `${`--${BOUNDARY}\r\n`.repeat(2000)}--${BOUNDARY}--`,
];

/** A form with known and unknown fields, as text or files, with arbitrary content. */
export function formPlan(document: OpenApiDocument, media: MediaTypeObject | undefined): fc.Arbitrary<BodyPlan> {
  const schema = media?.schema ? resolved(document, media.schema) : {};
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('unknown', '__proto__', ...Object.keys(schema.properties ?? {})) },
    { weight: 1, arbitrary: headerText },
  );
  const file = fc.tuple(headerText, fc.constantFrom('image/png', 'text/html', 'nonsense', ''));
  const part = fc.tuple(name, fc.option(file, { freq: 3 }), junkText).map(([field, attached, content]) => {
    const disposition = `form-data; name="${field}"${attached ? `; filename="${attached[0]}"` : ''}`;
    const type = attached ? `Content-Type: ${attached[1]}\r\n` : '';
    return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n${content}\r\n`;
  });
  const complete = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}--${BOUNDARY}--\r\n`);
  return fc
    .oneof({ weight: 3, arbitrary: complete }, { weight: 1, arbitrary: fc.constantFrom(...EDGE_FORMS) })
    .map((text) => ({ kind: 'text', text }));
}
