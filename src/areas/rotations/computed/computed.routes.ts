import type { BoundResource } from '../../../platform/area/resource.ts';
import { routeOf } from '../../../platform/area/resource-endpoint.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import { AtQuery } from './computed.schemas.ts';

/** Endpoint of a computed rotation, for the current time or the time of `at`. */
export function computedEndpoint({ resource, source }: BoundResource): Endpoint {
  return defineRoute({ ...routeOf(resource), query: AtQuery }).handle(async ({ query, now, settings, baseUrl }) =>
    query.at === undefined ? source(now, settings, baseUrl) : toFixedResponse(await source(query.at, settings, baseUrl)),
  );
}

/** Response for a given time; constant unless a table or a setting is changed. */
export function toFixedResponse<Body>({ text }: Representation<Body>): Representation<Body> {
  return { kind: 'json', text, maxAge: SECONDS_PER_DAY };
}
