import type { z } from '@hono/zod-openapi';
import { type FieldProblem, problemsError, validationError } from '../../errors/api-error.ts';
import { issueText } from '../../errors/issue-texts.ts';
import { findUnstorableTexts } from '../../errors/unstorable-texts.ts';
import { codeOfIssues, toFieldProblems } from '../../errors/zod-problems.ts';

/** Query parameters as a plain object. An empty value counts as absent. Throws 422 for a repeated parameter that is not a list. */
export function readQuery(
  query: URLSearchParams,
  known: readonly string[],
  lists: ReadonlySet<string> = NO_LISTS,
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  const repeated: FieldProblem[] = [];
  for (const name of known) {
    const occurrences = query.getAll(name);
    if (lists.has(name)) {
      const items = occurrences.filter((item) => item !== '');
      if (items.length > 0) values[name] = items;
      continue;
    }
    if (occurrences.length > 1) repeated.push({ loc: ['query', name], msg: 'must be given only once', type: 'repeated' });
    if (occurrences[0]) values[name] = occurrences[0];
  }
  if (repeated.length > 0) throw validationError(repeated);
  return values;
}

const NO_LISTS: ReadonlySet<string> = new Set();

/** Parses a value with its schema. Throws an error that lists every problem, and 422 for text that cannot be stored unchanged. */
export function validate(schema: z.ZodType, source: 'body' | 'query' | 'path', input: unknown): unknown {
  const unstorable = findUnstorableTexts(source, input);
  if (unstorable.length > 0) throw validationError(unstorable);
  const result = schema.safeParse(input, { error: issueText });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw problemsError(codeOfIssues(issues), toFieldProblems(source, issues, input));
}
