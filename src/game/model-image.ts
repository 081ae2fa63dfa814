import { LIVE_BRANCH } from './branches.data.ts';

const SIDE = 256;

/** Address of the image of a model; null without a model or without a known public address of the service. */
export function modelImageUrl(baseUrl: string, blueprint: string | null, branch: string = LIVE_BRANCH): string | null {
  const path = modelImagePath(blueprint, branch);
  return path === null || baseUrl === '' ? null : baseUrl + path;
}

/** The same below the service, for pages of the service itself. */
export function modelImagePath(blueprint: string | null, branch: string): string | null {
  if (!blueprint) return null;
  const onBranch = branch === LIVE_BRANCH ? '' : `&branch=${branch}`;
  return `/v1/codexes/render?blueprint=${encodeURIComponent(blueprint.toWellFormed())}&dim=${SIDE}${onBranch}`;
}
