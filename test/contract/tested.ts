import { env } from 'cloudflare:workers';
import { ENDPOINTS } from '../support/endpoints.ts';

const paths = env.ENDPOINT_PATHS?.split(' ');

/** The endpoints that the suites test: all, or those of the areas that `npm test -- AREA` names. */
export const TESTED = paths ? ENDPOINTS.filter(({ spec }) => paths.includes(spec.path)) : ENDPOINTS;
