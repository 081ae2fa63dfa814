import { ERROR_CATALOGUE } from '../../src/platform/kit/errors/api-error.ts';
import { ORIGIN } from './requests.ts';

/** The error of a response with 500: nothing about its reason. */
export const INTERNAL_ERROR = {
  code: 'internal_error',
  message: 'unexpected server error',
  hint: ERROR_CATALOGUE.internal_error.hint,
  doc_url: `${ORIGIN}/docs/errors#internal_error`,
};
