import { badRequest } from '../../../platform/errors/api-error.ts';
import { nearestOf } from '../../../platform/errors/nearest.ts';

/** A query parameter that is one of a few values; 400 names the parameter, the values and the nearest. */
export function queryValue<Value extends string>(parameter: string, text: string, allowed: readonly Value[]): Value {
  const value = allowed.find((known) => known === text);
  if (value !== undefined) return value;
  const nearest = nearestOf(text, allowed);
  const problem = { loc: ['query', parameter], msg: `must be one of ${allowed.join(', ')}`, type: 'invalid_value', allowed };
  throw badRequest(`query.${parameter}: ${problem.msg}`, [nearest === undefined ? problem : { ...problem, nearest }]);
}
