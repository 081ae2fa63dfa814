import { json } from '../../../platform/http/replies/reply.ts';
import type { Version } from './versions.domain.ts';
import { toVersionBody } from './versions.schemas.ts';

/** Serialised newest version, identical in the snapshot and the event stream. */
export function gameUpdateBody(version: Version) {
  return json({ version: toVersionBody(version) });
}
