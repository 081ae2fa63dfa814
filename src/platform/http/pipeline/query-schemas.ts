import { z } from '@hono/zod-openapi';
import type { FeatureName } from '../../settings/settings.data.ts';
import { documentedValues } from '../bodies/body-schemas.ts';

/** Maximum length of a language tag (BCP 47), in characters. */
export const MAX_LANGUAGE_LENGTH = 35;

interface IntegerParameter {
  min: number;
  max: number;
  description: string;
  example: number;
}

/** Longer text is rejected before parsing. */
const MAX_DIGITS = 15;
const DIGITS = new RegExp(`^\\d{1,${MAX_DIGITS}}$`);

/** Accepts digits only. Plain coercion would accept empty text, `0x10` and `1e3`. */
function boundedDigits(bounds: { min: number; max: number }) {
  const message = `must be an integer between ${bounds.min} and ${bounds.max}`;
  return z.string().regex(DIGITS, message).transform(Number).pipe(z.number().int().min(bounds.min, message).max(bounds.max, message));
}

function documentationOf(parameter: IntegerParameter, more: { default?: number } = {}) {
  return {
    type: 'integer' as const,
    minimum: parameter.min,
    maximum: parameter.max,
    description: parameter.description,
    example: parameter.example,
    ...more,
  };
}

/** A required integer query parameter. */
export function requiredInteger(parameter: IntegerParameter) {
  return boundedDigits(parameter).openapi(documentationOf(parameter));
}

/** An optional integer query parameter. */
export function optionalInteger(parameter: IntegerParameter) {
  return boundedDigits(parameter).optional().openapi(documentationOf(parameter));
}

/** An optional time in unix seconds. The error for another time format contains the equivalent unix seconds. */
export function optionalInstant(parameter: IntegerParameter) {
  const { min, max } = parameter;
  return z
    .string()
    .transform((text, context): number => {
      const instant = DIGITS.test(text) ? Number(text) : Number.NaN;
      if (instant >= min && instant <= max) return instant;
      const suggested = toUnixSeconds(text);
      const suggestion = suggested !== null && suggested >= min && suggested <= max ? `; send ${suggested} for ${text}` : '';
      context.addIssue({
        code: 'custom',
        params: { type: 'not_unix_seconds' },
        message: `must be unix seconds between ${min} and ${max}${suggestion}`,
      });
      return z.NEVER;
    })
    .optional()
    .openapi(documentationOf(parameter));
}

/** Longer text is not parsed as a date. */
const MAX_DATE_LENGTH = 40;

/** Converts unix milliseconds or ISO 8601 to unix seconds; null for other text. */
function toUnixSeconds(text: string): number | null {
  if (DIGITS.test(text)) return Math.floor(Number(text) / 1000);
  const milliseconds = text.length <= MAX_DATE_LENGTH && /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** An integer query parameter with a default. */
export function integerWithDefault(parameter: IntegerParameter & { default: number }) {
  return boundedDigits(parameter)
    .default(parameter.default)
    .openapi(documentationOf(parameter, { default: parameter.default }));
}

interface BooleanParameter {
  description: string;
  example: boolean;
}

/** Forms that HTTP clients of common languages send. Case-insensitive. */
const BOOLEAN_TEXTS = { truthy: ['true', '1', 'yes', 'on', 't', 'y'], falsy: ['false', '0', 'no', 'off', 'f', 'n'] };

/** An optional boolean query parameter. */
export function optionalBoolean(parameter: BooleanParameter) {
  return z
    .stringbool(BOOLEAN_TEXTS)
    .optional()
    .openapi({ type: 'boolean', ...parameter });
}

/** A boolean query parameter with a default. */
export function booleanWithDefault(parameter: BooleanParameter & { default: boolean }) {
  return z
    .stringbool(BOOLEAN_TEXTS)
    .default(parameter.default)
    .openapi({ type: 'boolean', ...parameter });
}

/** Query parameters of a paginated history: `limit`, `offset` and `cursor`. */
export function historyPage(limits: { max: number; default: number; cursorExample?: string }) {
  return {
    limit: integerWithDefault({
      min: 1,
      max: limits.max,
      default: limits.default,
      description: `Maximum number of items on the page, 1 to ${limits.max}.`,
      example: limits.default,
    }),
    offset: optionalInteger({
      min: 0,
      max: 1_000_000_000,
      description: 'Number of items to skip, newest first; defaults to 0.',
      example: 0,
    }),
    cursor: z
      .string()
      .max(200)
      .optional()
      .openapi({
        description: 'Cursor from the `Link` header of the previous page; replaces `offset`. New items do not shift the pages.',
        example: limits.cursorExample ?? 'WzE3NzMxNTQ4MDBd',
      }),
  };
}

interface ChoiceParameter<Value extends string | number> {
  description: string;
  example: Value;
  /** Error code for a value outside the set. */
  code?: 'bad_request' | 'not_found' | 'validation_error';
}

/** A parameter with a fixed set of values. */
export function choice<const Value extends string | number>(allowed: readonly Value[], parameter: ChoiceParameter<Value>) {
  const { code = 'validation_error', ...documentation } = parameter;
  return z
    .string()
    .transform((text, context): Value => {
      const match = allowed.find((value) => String(value) === text);
      if (match !== undefined) return match;
      context.addIssue({ code: 'custom', params: { allowed, ...(code === 'validation_error' ? {} : { code }) } });
      return z.NEVER;
    })
    .openapi({
      type: typeof allowed[0] === 'number' ? 'integer' : 'string',
      enum: [...allowed],
      ...documentedValues(allowed),
      ...documentation,
    });
}

interface NameListParameter<Name extends string> {
  description: string;
  example: readonly Name[];
  /** Feature switch by value. The OpenAPI document omits a value while its switch is off. */
  switches?: Readonly<Record<string, FeatureName>>;
}

/** A comma-separated list of names. Each unknown name is a separate problem in the error. */
export function nameList<Name extends string>(allowed: readonly Name[], parameter: NameListParameter<Name>) {
  const { switches, ...documentation } = parameter;
  return z
    .string()
    .transform((text, context) => {
      const names = [...new Set(text.split(',').map((name) => name.trim()))];
      for (const name of names) {
        if ((allowed as readonly string[]).includes(name)) continue;
        context.addIssue({ code: 'custom', params: { allowed, value: name } });
      }
      return names as Name[];
    })
    .openapi({
      type: 'array',
      items: { type: 'string', enum: [...allowed], ...documentedValues(allowed), 'x-switches': switches },
      param: { style: 'form', explode: false },
      ...documentation,
    });
}
