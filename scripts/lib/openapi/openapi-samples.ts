import { type Sample, sampleOf } from '../../../src/platform/openapi/samples.ts';
import type { MediaTypeObject, OpenApiDocument, ParameterObject } from './openapi-model.ts';

export { type Sample, sampleOf } from '../../../src/platform/openapi/samples.ts';

const sampleWith = (value: unknown): Sample => ({ ok: true, value });

/** Example of a parameter or of its schema. */
export function parameterSample(document: OpenApiDocument, parameter: ParameterObject): Sample {
  if (parameter.example !== undefined) return sampleWith(parameter.example);
  return parameter.schema ? sampleOf(document, parameter.schema, parameter.name) : { ok: false, at: parameter.name };
}

/** Example of a body: `example`, the first of `examples`, or that of its schema. */
export function mediaSample(document: OpenApiDocument, media: MediaTypeObject): Sample {
  if (media.example !== undefined) return sampleWith(media.example);
  const named = Object.values(media.examples ?? {}).find(({ value }) => value !== undefined);
  if (named) return sampleWith(named.value);
  return media.schema ? sampleOf(document, media.schema) : { ok: false, at: '/' };
}
