import type { Caller } from '../../platform/access/policy/access-control.ts';
import { ANONYMOUS_VIEWER, type Viewer } from './page.tsx';

export type ProfileOf = (userId: string) => Promise<{ email: string; displayName: string | null } | null>;

/** Returns the account of the session cookie. The cookie is accepted for pages only. */
export type ViewerOf = (caller: Caller) => Promise<Viewer>;

export function createViewerOf(profileOf: ProfileOf): ViewerOf {
  return async (caller) => {
    if (caller.kind !== 'session') return ANONYMOUS_VIEWER;
    const profile = await profileOf(caller.userId);
    return profile ? { name: profile.displayName ?? profile.email, isSuperuser: caller.isSuperuser } : ANONYMOUS_VIEWER;
  };
}
