import { LIVE_BRANCH } from './branches.data.ts';

const SIDE_PIXELS = 256;

/** URL of the image of a model; null without a model or if `baseUrl` is empty. */
export function modelImageUrl(baseUrl: string, blueprint: string | null, branch: string = LIVE_BRANCH): string | null {
  const path = modelImagePath(blueprint, branch);
  return path === null || baseUrl === '' ? null : baseUrl + path;
}

/** Path of the image of a model, for pages of the service; null without a model. */
export function modelImagePath(blueprint: string | null, branch: string): string | null {
  if (!blueprint) return null;
  const onBranch = branch === LIVE_BRANCH ? '' : `&branch=${branch}`;
  return `/v1/codexes/render?blueprint=${encodeURIComponent(blueprint.toWellFormed())}&dim=${SIDE_PIXELS}${onBranch}`;
}
