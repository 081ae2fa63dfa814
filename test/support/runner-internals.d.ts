/** Functions of the Workers plugin that it does not document, for `runner-patches.ts`. */
declare module 'cloudflare:test-internal' {
  /** Path of the entry of the service. `forBindingType`: named in the error for a project without one. */
  export function getResolvedMainPath(forBindingType: string): string;
  /** Runs the function that the number in `cf` names, keeps its result or error for its caller, and responds 204 or 500. */
  export function maybeHandleRunRequest(request: { cf?: Record<string, unknown> }): Promise<Response | undefined>;
}
