import type { AnyRouteSpec } from './pipeline/define-route.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Default maximum size of a body in bytes. */
const DEFAULT_MAX_BODY_BYTES = 256 * KIB;
/** Default maximum size of a JSON body in bytes on endpoints of a session. */
const DEFAULT_MAX_SESSION_BODY_BYTES = 64 * KIB;

/** Maximum size of a body that an endpoint accepts, in bytes. */
export function bodyLimitOf({ access, bodyLimit }: AnyRouteSpec): number {
  return bodyLimit ?? (access.kind === 'session' ? DEFAULT_MAX_SESSION_BODY_BYTES : DEFAULT_MAX_BODY_BYTES);
}

/** A size in readable form: `256 KiB`, `20 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`;
}
