import { type ModAddress, pathOf } from './mod.domain.ts';

/** Public addresses without a trailing slash. */
export interface Origins {
  /** Of the API. */
  baseUrl: string;
  /** Of the pages for people. */
  portalUrl: string;
}

/** Where a mod, its files and its images are. */
export interface ModLinks {
  page(mod: ModAddress): string;
  detail(mod: ModAddress): string;
  download(mod: ModAddress, releaseId: string): string;
  image(sha256: string): string;
}

export function linksFrom({ baseUrl, portalUrl }: Origins): ModLinks {
  return {
    page: (mod) => `${portalUrl}/mods/${pathOf(mod)}`,
    detail: (mod) => `${baseUrl}/v1/mods/${pathOf(mod)}`,
    download: (mod, releaseId) => `${baseUrl}/v1/mods/${pathOf(mod)}/releases/${releaseId}/download`,
    image: (sha256) => `${baseUrl}/v1/mods/images/${sha256}`,
  };
}

/** Links as a request sees them: the address of the API may be that of the request. */
export type LinksFor = (baseUrl: string) => ModLinks;
