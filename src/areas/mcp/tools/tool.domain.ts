import type { z } from '@hono/zod-openapi';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

export interface ToolImage {
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface ToolOutput {
  lines: readonly string[];
  /** URLs by label. Paths are relative to the service. */
  links: Readonly<Record<string, string>>;
  image?: ToolImage | null;
}

export interface ApiCall {
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON body. A call with a body is a POST. */
  body?: unknown;
}

/** Calls endpoints of this service with the credentials of the client. */
export interface ToolContext {
  now: UnixSeconds;
  baseUrl: string;
  /** Returns the body of a 2xx response. Throws `ToolFailure` for other statuses. */
  read<Body>(path: string, call?: ApiCall): Promise<Body>;
  /** Returns null for statuses other than 2xx and for an image over `maxBytes`. */
  readImage(path: string, call: ApiCall, maxBytes: number): Promise<ToolImage | null>;
}

/** An error whose message becomes the result of the tool. */
export class ToolFailure extends Error {}

/** A name as a path segment. Throws for a name that would reach another route: URLs drop the segments `.` and `..`, even encoded ones. */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name))
    throw new ToolFailure(`validation_error: "${name}" cannot stand in a URL, so no entry of this name can be read`);
  return encodeURIComponent(name);
}

/** A tool. `endpoints`: every endpoint that the tool may call. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  endpoints: readonly string[];
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
}

/** Infers the input type of `run` from the schema. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: Input; run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput> },
): Tool {
  return tool as unknown as Tool;
}
