import type { TestResponse } from '../../support/requests.ts';

/** Client of a request. `anonymous` has an address of its own, `token` a new token with every scope, a number a token with these scopes. */
export type Client = 'anonymous' | 'token' | 'superuser' | number | { authorization: string };

export interface SpecifiedRequest {
  method?: string;
  path: string;
  client?: Client;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Clock of the request in unix seconds. */
  now?: number;
}

/** A normative sentence of the specification, a request and what its response must have. */
export interface Statement {
  /** The words of the specification. */
  quote: string;
  request: string | SpecifiedRequest;
  /** Expected status. Default: 200. */
  status?: number;
  /** Paths of fields that must exist, such as `items.0.name`. */
  has?: readonly string[];
  /** Expected part of the body. */
  body?: unknown;
  /** Expected headers. */
  headers?: Readonly<Record<string, string | RegExp>>;
  check?(response: TestResponse, body: unknown): void;
  /** Path of a field that the OpenAPI document must have in the response of the request. No request is sent. */
  documents?: string;
  /** How the service differs from the quote, and why. The expectation is what the service does. */
  deviation?: string;
}

/** One statement for each field of a resource in the response. */
export function fields(quote: string, request: Statement['request'], base: string, names: string): Statement[] {
  return names.split(' ').map((name) => ({ quote: `${quote}: ${name}`, request, has: [`${base}${name}`] }));
}

/** One statement for each field of a resource in the OpenAPI document. For resources that need an external service or an upload. */
export function documented(quote: string, request: Statement['request'], base: string, names: string): Statement[] {
  return names.split(' ').map((name) => ({ quote: `${quote}: ${name}`, request, documents: `${base}${name}` }));
}
