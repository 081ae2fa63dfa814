import {
  type LocatedOperation,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  resolved,
} from '../../scripts/lib/openapi/openapi-model.ts';
import { mediaSample, parameterSample, type Sample } from '../../scripts/lib/openapi/openapi-samples.ts';
import type { CallOptions } from './requests.ts';

/** A request built from the examples of a document. */
export interface SampleRequest {
  path: string;
  options: Pick<CallOptions, 'method' | 'headers' | 'body'>;
}

/** Values to use instead of the documented examples. */
export interface SampleOverrides {
  parameters?: Readonly<Record<string, string>>;
  /** Values of optional parameters, used when these are sent. */
  optional?: Readonly<Record<string, string>>;
  /** Body to send, as JSON or as a form. */
  body?: unknown;
  /** Additional headers, such as a cookie. */
  headers?: Readonly<Record<string, string>>;
  /** Body that is neither JSON nor a form. */
  raw?: { body: string | Uint8Array; contentType: string };
}

/** The minimal valid request of an operation: required parameters and the body. `extra`: optional parameters to add. */
export function sampleRequest(
  document: OpenApiDocument,
  { path, method, operation, parameters }: LocatedOperation,
  overrides: SampleOverrides = {},
  extra: readonly string[] = [],
): SampleRequest {
  const selected = parameters.filter(
    ({ name, required }) => required || extra.includes(name) || overrides.parameters?.[name] !== undefined,
  );
  const textFor = (parameter: ParameterObject) =>
    overrides.parameters?.[parameter.name] ??
    overrides.optional?.[parameter.name] ??
    String(required(parameterSample(document, parameter)));
  let filled = path;
  const query = new URLSearchParams();
  for (const parameter of selected) {
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(textFor(parameter)));
    if (parameter.in === 'query') query.set(parameter.name, textFor(parameter));
  }
  const { headers, ...body } = bodyOptions(document, operation, overrides);
  return {
    path: query.size > 0 ? `${filled}?${query}` : filled,
    options: { method: method.toUpperCase(), ...body, headers: { ...headers, ...overrides.headers } },
  };
}

function bodyOptions(
  document: OpenApiDocument,
  { requestBody }: OperationObject,
  { body, raw }: SampleOverrides,
): Pick<CallOptions, 'body'> & { headers?: Record<string, string> } {
  if (raw) return { body: raw.body, headers: { 'Content-Type': raw.contentType } };
  const content = requestBody && resolved(document, requestBody).content;
  const form = content?.['multipart/form-data'];
  if (form) return { body: formOf(body ?? required(mediaSample(document, form))) };
  const media = content?.['application/json'];
  const value = body ?? (media && required(mediaSample(document, media)));
  return value === undefined ? {} : { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}

/** A form with a field per property, and per item of a list. */
function formOf(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields as object)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  }
  return form;
}

function required(sample: Sample): unknown {
  if (!sample.ok) throw new Error(`OpenAPI document: example missing at ${sample.at}`);
  return sample.value;
}
