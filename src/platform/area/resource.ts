import type { z } from '@hono/zod-openapi';
import type { AnyEventDeclaration, EventBodies, EventSchemas, EventShape, EventType } from '../events/event-declaration.ts';
import type { EventSource } from '../events/event-source.ts';
import type { AnyRouteSpec, BodySource } from '../http/pipeline/define-route.ts';
import { json, type Representation } from '../http/replies/reply.ts';
import type { UnixSeconds } from '../kit/time/clock.ts';
import type { Settings } from '../settings/settings.data.ts';
import type { SnapshotBody } from './area.ts';

/** A value that is read only at every depth, such as a part of a table. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** What a resource depends on besides the services of its area. */
export interface ReadAt {
  now: UnixSeconds;
  settings: Settings;
  /** That of the request; in the event stream the configured one, which may be empty. */
  baseUrl: string;
}

type TypesOf<Body> = { [Type in EventType]: Body extends EventBodies[Type] ? Type : never }[EventType];

/** The event that a resource sends when it changes. */
export interface ResourceEvent<Body, Deps> extends EventShape<Body> {
  /** A type whose body is that of the resource (`EventBodies`). */
  type: TypesOf<Body>;
  /** Changes exactly when the body changes by more than its countdowns. Null: no event yet. */
  signature(body: Frozen<Body>, now: UnixSeconds): string | null;
  /** Next time at which the signature can change without an update; absent for a resource that changes only by updates. */
  changesAt?(now: UnixSeconds): UnixSeconds;
  /** Makes the next read include the newest update. */
  refresh?(deps: Deps): void;
}

/**
 * A resource that is read: its endpoint, its part of the snapshot and its event follow from this declaration. One that needs more, such as
 * a body that is serialised in pieces, is a route.
 */
export interface Resource<Body, Deps = unknown>
  extends Pick<AnyRouteSpec, 'path' | 'operationId' | 'tag' | 'summary' | 'description' | 'access'> {
  /** Description of the response; default: the summary. */
  ok?: string;
  schema: z.ZodType<Body>;
  /** The body. Each key has the place that it has on the wire. */
  read(at: ReadAt, deps: Deps): Frozen<Body> | Promise<Frozen<Body>>;
  /** Serialises the body; default: as JSON whose ETag is the hash of all fields. */
  represent?(body: Frozen<Body>, at: ReadAt): Representation;
  event?: ResourceEvent<Body, Deps>;
}

/** A resource before it has the services of its area. */
export interface Bindable<Deps = unknown> {
  path: string;
  event?: { type: EventType };
  /** `publicUrl`: base URL of bodies in the event stream. */
  bind(deps: Deps, publicUrl?: string): BoundResource;
}

/** Declares a resource. Its type is that of the schema, which TypeScript must know before the rest: therefore two calls. */
export function defineResource<Schema extends z.ZodType>(schema: Schema) {
  return <Deps>(declaration: Omit<Resource<z.output<Schema>, Deps>, 'schema'>): Resource<z.output<Schema>, Deps> & Bindable<Deps> => {
    const resource = { ...declaration, schema: schema as unknown as z.ZodType<z.output<Schema>> };
    return { ...resource, bind: (deps, publicUrl = '') => bindResource(resource, deps, publicUrl) };
  };
}

/** What the route of a resource declares. */
export type RouteOfResource = Pick<
  Resource<unknown>,
  'path' | 'operationId' | 'tag' | 'summary' | 'description' | 'access' | 'ok' | 'schema'
>;

/** A resource with the services of its area: its bodies and its event source. */
export interface BoundResource {
  resource: RouteOfResource;
  source: BodySource;
  /** Null: it has no event. */
  eventSource: EventSource | null;
}

function bindResource<Body, Deps>(resource: Resource<Body, Deps>, deps: Deps, publicUrl: string): BoundResource {
  const { event } = resource;
  const representAt = (body: Frozen<Body>, at: ReadAt): Representation => resource.represent?.(body, at) ?? json(body);
  const source: BodySource = async (now, settings, baseUrl) => {
    const at = { now, settings, baseUrl };
    return representAt(await resource.read(at, deps), at);
  };
  return {
    resource,
    source,
    eventSource: event
      ? {
          type: event.type,
          ...(event.changesAt && { nextChangeAt: event.changesAt }),
          refresh: () => event.refresh?.(deps),
          async stateAt(now, settings) {
            const at = { now, settings, baseUrl: publicUrl };
            const body = await resource.read(at, deps);
            return { body: representAt(body, at), signature: event.signature(body, now) };
          },
        }
      : null,
  };
}

/** The event types of resources. */
export function eventsOf(resources: readonly Pick<Bindable, 'event'>[]): AnyEventDeclaration[] {
  // A resource pairs the type with its body (`ResourceEvent.type`).
  return resources.flatMap(({ event }) => (event ? [event as AnyEventDeclaration] : []));
}

/** The schemas of the events of bound resources. */
export function eventSchemasOf(resources: readonly BoundResource[]): EventSchemas {
  return Object.fromEntries(resources.flatMap(({ eventSource, resource }) => (eventSource ? [[eventSource.type, resource.schema]] : [])));
}

/** Parts of the snapshot, named by the path after the section: `/v1/things/current` is `current`. */
export function snapshotParts(resources: readonly BoundResource[]): Record<string, Pick<SnapshotBody, 'source' | 'schema'>> {
  return Object.fromEntries(
    resources.map(({ resource: { path, schema }, source }) => [path.split('/').slice(3).join('/'), { source, schema: async () => schema }]),
  );
}
