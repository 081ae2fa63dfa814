import { z } from '@hono/zod-openapi';
import type { Admission, Caller, OwnAccount } from '../../access/policy/admission.ts';
import type { Access, StreamLimits } from '../../access/policy/policy.ts';
import type { ApiError, ErrorCode } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { FeatureName, Settings } from '../../settings/settings.data.ts';
import type { Reserve } from '../bodies/body.ts';
import type { CODEX_ORDINAL, Surface } from '../replies/headers.ts';
import type { Reply, Representation } from '../replies/reply.ts';
import type { Table } from '../tables/table.ts';
import { bomParameter, formatParameter } from '../tables/table-reply.ts';
import type { Receipt } from './receipt.ts';

type ObjectSchema = z.ZodObject;
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A successful response that is not JSON. */
export interface RawSuccess {
  contentTypes: readonly string[];
  description: string;
  status?: number;
  example?: unknown;
  /** Schema of the body, only for the OpenAPI document. Default: any text. */
  document?: z.ZodType;
  /** Headers that only this operation has. */
  headers?: readonly (typeof CODEX_ORDINAL)[];
  /** Other statuses, without a body; each value describes when the status is returned. */
  otherStatuses?: Readonly<Record<number, string>>;
}

/** A successful response with a JSON body. */
export interface JsonSuccess<Body extends z.ZodType> {
  schema: Body;
  description: string;
  status?: number;
  /** Where the examples of the fields describe another operation with the same schema. */
  example?: z.input<Body>;
  /** Headers that only this operation has. */
  headers?: readonly (typeof CODEX_ORDINAL)[];
  /** Other statuses with the same body; each value describes when the status is returned. */
  otherStatuses?: Readonly<Record<number, string>>;
}

/** A request body that is not JSON. The handler reads it. */
export interface RawRequestBody {
  contentTypes: readonly string[];
  description: string;
  /** Fields of a form, only for the OpenAPI document. Absent: the body is bytes. */
  schema?: z.ZodType;
}

/** A part of a feature, in the plural, and its switch. */
export interface PartSwitch {
  name: string;
  isOn(settings: Settings): boolean;
}

/**
 * The declaration of one operation. The request pipeline, the OpenAPI document and the contract tests follow from it. `errors` lists
 * only the errors that the handler throws; all others are derived.
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
  /** Feature switch. The path returns 404 while it is off. */
  feature?: FeatureName;
  /** Switch of a part of the feature. The path returns 404 with `details.feature_disabled` while it is off, for every input. */
  part?: PartSwitch;
  params?: Params;
  query?: Query;
  body?: Body;
  /** An absent body and null count as `{}`. */
  bodyIsOptional?: boolean;
  rawBody?: RawRequestBody;
  /** Maximum size of the body in bytes. Default: see `bodyLimitOf`. */
  bodyLimit?: number;
  /** Peak memory of a request as a multiple of its body, including the body. Reserved as the body arrives. Default: 1. */
  memory?: number;
  ok: Ok extends z.ZodType ? JsonSuccess<Ok> : RawSuccess;
  /** The response of a public endpoint depends on the token, so that shared caches must not keep it. */
  dependsOnToken?: boolean;
  /** Offers the body as CSV and JSON Lines too, by `format` or `Accept`. */
  table?: Table;
  errors?: readonly ErrorCode[];
  /** The handler fetches from an upstream service. The response is 502 when the upstream fails. */
  fetchesUpstream?: boolean;
  /** Omits the operation from the OpenAPI document. */
  hidden?: boolean;
  /** Default: `api`. */
  surface?: Surface;
  /** Paths of a page in the sitemap. Default: the path of the route, if it has no parameters. */
  addresses?: (settings: Settings) => readonly string[] | Promise<readonly string[]>;
  /** A POST that stores nothing: retries are safe, and `Idempotency-Key` is ignored. */
  isStateless?: boolean;
  /**
   * Name of an insert in the log, which stores the `outcome` of the reply or the error of the handler. The response names the receipt in
   * the header `X-Ingest-ID`.
   */
  log?: string;
  /** The response contains a secret, so it is never stored. A retry with the same `Idempotency-Key` returns 409. */
  showsSecret?: boolean;
  /**
   * Maximum number of open streams per client. The response is an endless stream: HEAD returns 405, and tests must not wait for the
   * end of the body.
   */
  streams?: StreamLimits;
  /** The handler responds with `fileReply`, which honours `Range`. */
  servesRanges?: boolean;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Input of a handler. Parameters, query and body are validated. */
export interface RouteInput<Params, Query, Body> {
  params: Output<Params>;
  query: Output<Query>;
  body: Output<Body>;
  now: UnixSeconds;
  /** Public URL of the service, without a trailing slash. */
  baseUrl: string;
  caller: Caller;
  admission: Admission;
  settings: Settings;
  request: Request;
  /** Reserves memory for the body until the response is created. Required by the functions that read a raw body. */
  reserve: Reserve;
  /** Only for a route with `log`. */
  receipt: Receipt;
  /** Makes the charge that the access leaves to the handler, if it has one. The 429 when its limit is used up; otherwise null. */
  chargeLater(): Promise<ApiError | null>;
  waitUntil(promise: Promise<unknown>): void;
  /** Sends another request through the whole pipeline in this isolate. Access control, rate limits and statistics apply. */
  dispatch(request: Request): Promise<Response>;
}

export type AnyRouteSpec = RouteSpec<ObjectSchema | undefined, ObjectSchema | undefined, z.ZodType | undefined, z.ZodType | undefined>;
export type AnyHandler = (input: RouteInput<undefined, undefined, undefined>) => Reply<unknown> | Promise<Reply<unknown>>;

/** A route with its handler. */
export interface Endpoint {
  readonly spec: AnyRouteSpec;
  readonly handler: AnyHandler;
  /** Reads data of the signed-in account while its session is looked up, for `handleOwn`. */
  readonly ownRead?: (account: OwnAccount) => Promise<unknown>;
}

/** Serializes a resource. Its route, the snapshot and the event stream send the same bytes. `baseUrl`: that of the request. */
export type BodySource<Body = unknown> = (
  now: UnixSeconds,
  settings: Settings,
  baseUrl: string,
) => Representation<Body> | Promise<Representation<Body>>;

/** Declares a route. `handle` adds the handler; the schemas define the types of its input and result. */
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

    /**
     * Like `handle`, for a read of the signed-in account: `read` runs while the session is looked up, so that the response waits once for
     * the database. It must have no effects: the session may have ended, and then its result is dropped.
     */
    handleOwn<Data>(
      read: (account: OwnAccount) => Promise<Data>,
      handler: (data: Data, input: RouteInput<Params, Query, Body>) => Reply<Output<Ok>> | Promise<Reply<Output<Ok>>>,
    ): Endpoint {
      const withData = (input: RouteInput<Params, Query, Body>) => {
        const { own } = input.admission;
        if (!own) throw new TypeError(`${spec.path} reads data of an account without a session`);
        if ('error' in own) throw own.error;
        return handler(own.data as Data, input);
      };
      return { ...this.handle(withData), ownRead: read };
    },
  };
}

/** Adds the query parameters `format` and `bom` to a route with a table. Only the pipeline reads them. */
function withFormat(spec: AnyRouteSpec): AnyRouteSpec {
  return spec.table ? { ...spec, query: (spec.query ?? z.object({})).extend({ format: formatParameter, bom: bomParameter }) } : spec;
}
