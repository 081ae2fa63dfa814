import { z } from '@hono/zod-openapi';
import type { Admission, Caller } from '../../access/policy/access-control.ts';
import type { Access, StreamLimits } from '../../access/policy/policy.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import type { FeatureName, Settings } from '../../settings/settings.data.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { Surface } from '../replies/headers.ts';
import type { Reply, Representation } from '../replies/reply.ts';
import type { Table } from '../tables/table.ts';
import { formatParameter } from '../tables/table-format.ts';

type ObjectSchema = z.ZodObject;
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A success that is not JSON: its media types and a description. */
export interface RawSuccess {
  contentTypes: readonly string[];
  description: string;
  status?: number;
  example?: unknown;
  /** Contents of the text, for the document only; default: any text. */
  document?: z.ZodType;
}

/** A JSON success: the schema of its body. */
export interface JsonSuccess<Body extends z.ZodType> {
  schema: Body;
  description: string;
  status?: number;
  /** Conditions of further statuses with the same body. */
  otherStatuses?: Readonly<Record<number, string>>;
}

/** A request body that is not JSON and is read by the handler itself. */
export interface RawRequestBody {
  contentTypes: readonly string[];
  description: string;
  /** The parts of a form, for the document alone; absent: bytes. */
  schema?: z.ZodType;
}

/**
 * The declaration of one operation, read by the request pipeline, the OpenAPI document and the contract tests. Errors are
 * derived, except those only the handler can throw (`errors`).
 */
export interface RouteSpec<
  Params extends ObjectSchema | undefined,
  Query extends ObjectSchema | undefined,
  Body extends z.ZodType | undefined,
  Ok extends z.ZodType | undefined,
> {
  method: Method;
  /** Full path in OpenAPI notation, e.g. `/v1/things/{id}`. */
  path: string;
  operationId: string;
  /** Group in the documentation. */
  tag: string;
  summary: string;
  description: string;
  access: Access;
  /** While this switch is off the path returns 404. */
  feature?: FeatureName;
  params?: Params;
  query?: Query;
  body?: Body;
  /** No field of the body is required: no body at all, or null, counts as `{}`. */
  bodyIsOptional?: boolean;
  rawBody?: RawRequestBody;
  /** Largest body in bytes; absent: `bodyLimitOf` has the default. */
  bodyLimit?: number;
  ok: Ok extends z.ZodType ? JsonSuccess<Ok> : RawSuccess;
  /** The JSON body is available as CSV and JSON Lines too, by `format` or `Accept`. */
  table?: Table;
  errors?: readonly ErrorCode[];
  /** Fetches from an outside service while the client waits: 502 when that fails. */
  asksUpstream?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  /** `api` when absent. */
  surface?: Surface;
  /** Of a page: its paths in the sitemap. Absent: the path of the route, if it has no parameters. */
  addresses?: (settings: Settings) => readonly string[] | Promise<readonly string[]>;
  /** A POST that stores nothing: repeating it is safe, and `Idempotency-Key` is ignored. */
  isStateless?: boolean;
  /** The response shows a secret once: it is never stored, and a repeat with the same `Idempotency-Key` is refused. */
  showsSecret?: boolean;
  /**
   * The response is an endless stream with a maximum number of open streams per client: HEAD is refused, and tests must not
   * wait for its body.
   */
  streams?: StreamLimits;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Input of a handler: validated input, the instant of the request, and the client. */
export interface RouteInput<Params, Query, Body> {
  params: Output<Params>;
  query: Output<Query>;
  body: Output<Body>;
  now: UnixSeconds;
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  caller: Caller;
  admission: Admission;
  settings: Settings;
  request: Request;
  waitUntil(promise: Promise<unknown>): void;
  /** Sends another request through the whole pipeline in this isolate: access, rate limits and statistics apply as usual. */
  dispatch(request: Request): Promise<Response>;
}

export type AnyRouteSpec = RouteSpec<ObjectSchema | undefined, ObjectSchema | undefined, z.ZodType | undefined, z.ZodType | undefined>;
export type AnyHandler = (input: RouteInput<undefined, undefined, undefined>) => Reply<unknown> | Promise<Reply<unknown>>;

/** A route with its handler, ready to be mounted. */
export interface Endpoint {
  readonly spec: AnyRouteSpec;
  readonly handler: AnyHandler;
}

/**
 * One serialized form of a resource, sent identically by its route, the snapshot and the event stream. `baseUrl` is that of a
 * request.
 */
export type BodySource<Body = unknown> = (
  now: UnixSeconds,
  settings: Settings,
  baseUrl: string,
) => Representation<Body> | Promise<Representation<Body>>;

/** States a route; `handle` adds the handler, whose input and body are checked against the schemas. */
export function defineRoute<
  Params extends ObjectSchema | undefined = undefined,
  Query extends ObjectSchema | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Ok extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<Params, Query, Body, Ok>) {
  return {
    handle(handler: (input: RouteInput<Params, Query, Body>) => Reply<Output<Ok>> | Promise<Reply<Output<Ok>>>): Endpoint {
      return { spec: withFormat(spec as unknown as AnyRouteSpec), handler: handler as unknown as AnyHandler };
    },
  };
}

/** Adds the query parameter `format` where the route has a table. The pipeline reads it, handlers do not. */
function withFormat(spec: AnyRouteSpec): AnyRouteSpec {
  return spec.table ? { ...spec, query: (spec.query ?? z.object({})).extend({ format: formatParameter }) } : spec;
}
