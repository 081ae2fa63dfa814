import type { Caller } from '../../platform/access/policy/access-control.ts';
import { NOBODY, type Viewer } from './page.tsx';

export type ProfileOf = (userId: string) => Promise<{ email: string; displayName: string | null } | null>;

/** Reads the account from the session cookie, which gives access to pages only. */
export type ViewerOf = (caller: Caller) => Promise<Viewer>;

export function createViewerOf(profileOf: ProfileOf): ViewerOf {
  return async (caller) => {
    if (caller.kind !== 'session') return NOBODY;
    const profile = await profileOf(caller.userId);
    return profile ? { name: profile.displayName ?? profile.email, isSuperuser: caller.isSuperuser } : NOBODY;
  };
}
