import { defineRoute, type Endpoint } from '../http/pipeline/define-route.ts';
import type { BoundResource, RouteOfResource } from './resource.ts';

// Apart from `resource.ts`: an isolate loads the declarations of resources at its start, and routes with the first request for them.

/** The route of a resource, for an endpoint with parameters of its own. */
export function routeOf({ path, operationId, tag, summary, description, access, ok, schema }: RouteOfResource) {
  return {
    method: 'get',
    path,
    operationId,
    tag,
    summary,
    description,
    access,
    ok: { description: ok ?? summary, schema },
  } as const;
}

/** The endpoint of a resource, without parameters. */
export function resourceEndpoint({ resource, source }: BoundResource): Endpoint {
  return defineRoute(routeOf(resource)).handle(({ now, settings, baseUrl }) => source(now, settings, baseUrl));
}
