import type { PackFormat } from '../catalog.data.ts';
import { type ModAddress, pathOf } from './mod.domain.ts';

/** Base URLs without a trailing slash. */
export interface Origins {
  /** URL of the API. */
  baseUrl: string;
  /** URL of the portal. */
  portalUrl: string;
}

/** Absolute URLs of a mod, its files and its images. */
export interface ModLinks {
  page(mod: ModAddress): string;
  detail(mod: ModAddress): string;
  download(mod: ModAddress, releaseId: string): string;
  image(sha256: string): string;
  packPage(pack: ModAddress): string;
  packDownload(pack: ModAddress, variant: string, format: PackFormat): string;
  /** Mods of an author. */
  author(name: string): string;
}

export function linksFrom({ baseUrl, portalUrl }: Origins): ModLinks {
  return {
    page: (mod) => `${portalUrl}/mods/${pathOf(mod)}`,
    detail: (mod) => `${baseUrl}/v1/mods/${pathOf(mod)}`,
    download: (mod, releaseId) => `${baseUrl}/v1/mods/${pathOf(mod)}/releases/${releaseId}/download`,
    image: (sha256) => `${baseUrl}/v1/mods/images/${sha256}`,
    packPage: (pack) => `${portalUrl}/mods/packs/${pathOf(pack)}`,
    packDownload: (pack, variant, format) =>
      `${baseUrl}/v1/modpacks/${pathOf(pack)}/download?variant=${encodeURIComponent(variant)}&format=${format}`,
    author: (name) => `${baseUrl}/v1/mods?author=${encodeURIComponent(name)}`,
  };
}

/** Creates links for the base URL of a request. */
export type LinksFor = (baseUrl: string) => ModLinks;
