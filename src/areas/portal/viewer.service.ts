import type { Caller } from '../../platform/access/policy/admission.ts';
import { ANONYMOUS_VIEWER, type Viewer } from './page.tsx';

/** The account of the session cookie. The cookie is accepted for pages only. */
export function viewerOf(caller: Caller): Viewer {
  return caller.kind === 'session' ? { name: caller.name, isSuperuser: caller.isSuperuser } : ANONYMOUS_VIEWER;
}
