import fc from 'fast-check';
import { type LocatedOperation, type OpenApiDocument, type ParameterObject, resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { ORIGIN } from '../support/requests.ts';
import { type BodyPlan, bodyPlan } from './fuzz-bodies.ts';
import { FORM_TYPE, formPlan } from './fuzz-forms.ts';
import { headerText, junkText, parameterText } from './fuzz-texts.ts';

/** Plan of a request, readable so that a counterexample can be reproduced by hand. */
export interface RequestPlan {
  /** Path with the query. */
  path: string;
  /** Whether to send a credential that the operation accepts. */
  isAdmitted: boolean;
  headers: Record<string, string>;
  body: BodyPlan | null;
}

/** Half of the texts are percent-encoded, the others are inserted unencoded. */
export function inUrl(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.boolean())
    .map(([value, isRaw]) => (isRaw ? value.toWellFormed().replace(/[#\s]/g, '') : encodeURIComponent(value.toWellFormed())));
}

function queryOf(parameters: readonly ParameterObject[]): fc.Arbitrary<string> {
  const known = parameters.map(({ name, required, schema = {} }) => {
    const value = inUrl(parameterText(schema)).map((text) => `${name}=${text}`);
    const given = fc.array(value, { minLength: 1, maxLength: 1 });
    const counts = [
      { weight: required ? 8 : 4, arbitrary: given },
      { weight: 1, arbitrary: fc.array(value, { minLength: 2, maxLength: 3 }) },
    ];
    return fc.oneof(...counts, { weight: required ? 1 : 5, arbitrary: fc.constant([]) });
  });
  const unknown = fc.array(unknownKey, { maxLength: 1 });
  return fc.tuple(...known, unknown).map((parts) => {
    const pieces = parts.flat();
    return pieces.length === 0 ? '' : `?${pieces.join('&')}`;
  });
}

/** An unknown query key. */
export const unknownKey: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('__proto__', 'constructor', 'toString', 'zz-unknown', 'zz[]', ''), inUrl(junkText))
  .map(([name, value]) => `${name}=${value.replaceAll('&', '')}`);

function pathOf(template: string, parameters: readonly ParameterObject[]): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return fc
    .tuple(...inPath.map(({ schema = {} }) => inUrl(parameterText(schema))))
    .map((values) =>
      inPath.reduce((path, { name }, index) => path.replace(`{${name}}`, () => values[index]?.replaceAll('?', '') ?? ''), template),
    );
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

/** Headers that the service reads, with invalid values. */
const JUNK_HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Authorization: fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
  ),
  'X-Request-ID': headerText,
  'If-None-Match': fc.oneof(headerText, fc.constantFrom('*', '""', '"a", "b"', `${'"x", '.repeat(1600)}"y"`, '"', 'W/', 'W/"')),
  'Idempotency-Key': headerText,
  'Content-Type': headerText,
  'X-Test-Now': fc.oneof(headerText, fc.constantFrom('0', '-1', '1e3', '999999999999', '9999999999999', ' 5', '4133980800')),
  'CF-Connecting-IP': fc.oneof(
    headerText,
    fc.constantFrom('::', '::ffff:1.2.3.4', '2001:db8::1', '1.2.3', '01.2.3.4', '1.2.3.4, 5.6.7.8', 'fe80::1%eth0', '1'.repeat(8000)),
  ),
  'If-Modified-Since': headerText,
  Range: fc.oneof(headerText, fc.constantFrom('bytes=0-0', 'bytes=-1', 'bytes=5-1', 'bytes=0-99999999999999')),
  'Last-Event-ID': headerText,
  Origin: headerText,
  Accept: headerText,
};

/** At most two invalid headers, because more would mask each other. */
export const junkHeaders: fc.Arbitrary<Record<string, string>> = fc
  .subarray(Object.keys(JUNK_HEADERS), { maxLength: 2 })
  .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), JUNK_HEADERS[name] ?? headerText))))
  .map((entries) => Object.fromEntries(entries));

/** Requests to an operation, from almost valid to nonsense. */
export function requestPlan(document: OpenApiDocument, { path, operation, parameters }: LocatedOperation): fc.Arbitrary<RequestPlan> {
  const content = operation.requestBody && resolved(document, operation.requestBody).content;
  const [type = 'application/json', media] = Object.entries(content ?? {})[0] ?? [];
  const isForm = type === 'multipart/form-data';
  const types = type === 'application/json' ? JSON_TYPES : [isForm ? FORM_TYPE : type];
  const typed = fc.constantFrom(...types).map((value) => ({ 'Content-Type': value }));
  const query = queryOf(parameters.filter((parameter) => parameter.in === 'query'));
  return fc
    .record({
      path: fc.tuple(pathOf(path, parameters), query).map((parts) => parts.join('')),
      isAdmitted: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      typed: content ? typed : fc.constant({}),
      headers: junkHeaders,
      body: content ? (isForm ? formPlan : bodyPlan)(document, media) : fc.constant(null),
    })
    .map(({ typed: contentType, headers, ...plan }) => ({ ...plan, headers: { ...contentType, ...headers } }));
}

/** Whether a path still matches the operation, because junk can change the path. */
export function matchesTemplate(template: string, path: string): boolean {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(new URL(ORIGIN + path).pathname);
}
