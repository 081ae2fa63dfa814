import { z } from '@hono/zod-openapi';

interface IntegerParameter {
  min: number;
  max: number;
  description: string;
  example: number;
}

/** No parameter needs more digits; longer text is refused before it is turned into a number. */
const MAX_DIGITS = 15;
const DIGITS = new RegExp(`^\\d{1,${MAX_DIGITS}}$`);

/** Text of digits only: bare coercion would take empty text, `0x10` and `1e3`. */
function digits(bounds: { min: number; max: number }) {
  const message = `must be an integer between ${bounds.min} and ${bounds.max}`;
  return z.string().regex(DIGITS, message).transform(Number).pipe(z.number().int().min(bounds.min, message).max(bounds.max, message));
}

function documented(parameter: IntegerParameter, more: { default?: number } = {}) {
  return {
    type: 'integer' as const,
    minimum: parameter.min,
    maximum: parameter.max,
    description: parameter.description,
    example: parameter.example,
    ...more,
  };
}

/** An integer query parameter that must be given. */
export function requiredInteger(parameter: IntegerParameter) {
  return digits(parameter).openapi(documented(parameter));
}

/** An integer query parameter that may be left out. `emptyIsAbsent`: `?x=` counts as not given. */
export function optionalInteger(parameter: IntegerParameter & { emptyIsAbsent?: boolean }) {
  const { emptyIsAbsent = false, ...bounds } = parameter;
  const schema = digits(bounds).optional();
  return (emptyIsAbsent ? z.preprocess((value) => (value === '' ? undefined : value), schema) : schema).openapi(documented(bounds));
}

/** An integer query parameter with a default. */
export function integerWithDefault(parameter: IntegerParameter & { default: number }) {
  return digits(parameter)
    .default(parameter.default)
    .openapi(documented(parameter, { default: parameter.default }));
}

interface BooleanParameter {
  description: string;
  example: boolean;
}

/** The forms that clients of several languages send; compared without case. */
const BOOLEAN_TEXTS = { truthy: ['true', '1', 'yes', 'on', 't', 'y'], falsy: ['false', '0', 'no', 'off', 'f', 'n'] };

/** A boolean query parameter with a default. */
export function booleanWithDefault(parameter: BooleanParameter & { default: boolean }) {
  return z
    .stringbool(BOOLEAN_TEXTS)
    .default(parameter.default)
    .openapi({ type: 'boolean', ...parameter });
}

/** `limit`, and `offset` or `cursor`, of a history: the page, and where it starts. */
export function historyPage(limits: { max: number; default: number }) {
  return {
    limit: integerWithDefault({
      min: 1,
      max: limits.max,
      default: limits.default,
      description: `Items on the page, 1 to ${limits.max}.`,
      example: limits.default,
    }),
    offset: optionalInteger({ min: 0, max: 1_000_000_000, description: 'Items to skip, newest first; 0 when absent.', example: 0 }),
    cursor: z.string().max(200).optional().openapi({
      description:
        'Instead of `offset`: the `cursor` of the next page, as the `Link` header of a page gives it. Holds still while items arrive.',
      example: 'WzE3NzMxNTQ4MDBd',
    }),
  };
}

/** A comma-separated list of names, each one of `allowed`; 422 names the unknown one and the nearest. */
export function nameList<Name extends string>(allowed: readonly Name[], parameter: { description: string; example: string }) {
  return z
    .string()
    .transform((text, context) => {
      const names = [...new Set(text.split(',').map((name) => name.trim()))];
      for (const name of names) {
        if ((allowed as readonly string[]).includes(name)) continue;
        context.addIssue({
          code: 'custom',
          message: `unknown name: ${name.slice(0, 60)}`,
          params: { type: 'invalid_value', allowed, value: name },
        });
      }
      return names as Name[];
    })
    .openapi({ type: 'string', description: parameter.description, example: parameter.example });
}
