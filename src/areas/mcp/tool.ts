import type { z } from '@hono/zod-openapi';
import type { UnixSeconds } from '../../platform/time/clock.ts';

/** An image of an answer. */
export interface ToolImage {
  /** Base64. */
  data: string;
  mimeType: string;
}

/** What a tool answers. */
export interface ToolAnswer {
  lines: readonly string[];
  /** Addresses for people and programs, by what they lead to; a path is taken relative to the service. */
  links: Readonly<Record<string, string>>;
  image?: ToolImage | null;
}

/** A request to an endpoint of the service. */
export interface ApiCall {
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Makes it a POST with this JSON. */
  body?: unknown;
}

/** What tools work with: the service's own endpoints, called as the client who called the tool. */
export interface ToolContext {
  now: UnixSeconds;
  baseUrl: string;
  /** Body of a success. Throws `ToolFailure` for every other status. */
  read<Body>(path: string, call?: ApiCall): Promise<Body>;
  /** Bytes of a success; null for every other status and beyond `maxBytes`. */
  readImage(path: string, call: ApiCall, maxBytes: number): Promise<ToolImage | null>;
}

/** A failure that the client is told about in the result of the tool. */
export class ToolFailure extends Error {}

/** A tool. Its endpoints name what it may read, and so what it costs. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  endpoints: readonly string[];
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer>;
}

/** Declares a tool; the input of `run` follows from its schema. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: Input; run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer> },
): Tool {
  return tool as unknown as Tool;
}
