import type { Access } from '../access/policy/policy.ts';
import type { AnyRouteSpec } from './pipeline/define-route.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Default maximum size of a body in bytes. */
const DEFAULT_MAX_BODY_BYTES = 8 * MIB;
/** Default maximum size of a JSON body in bytes on endpoints that require no credential. */
const DEFAULT_MAX_ANONYMOUS_BODY_BYTES = 256 * KIB;

const ANONYMOUS: readonly Access['kind'][] = ['open', 'public', 'tokenless', 'address', 'feedback', 'page'];

/** Maximum size of a body that an endpoint accepts, in bytes. */
export function bodyLimitOf({ access, body, bodyLimit }: AnyRouteSpec): number {
  if (bodyLimit !== undefined) return bodyLimit;
  return body && ANONYMOUS.includes(access.kind) ? DEFAULT_MAX_ANONYMOUS_BODY_BYTES : DEFAULT_MAX_BODY_BYTES;
}

/** A size in readable form: `256 KiB`, `20 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`;
}
