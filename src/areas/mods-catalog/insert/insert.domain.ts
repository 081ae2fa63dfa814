import type { InspectedArtifact } from '../../../game/artifact.ts';
import { isVisible, type Mod, type ModDetails, type ModImage, type ModReference, normalizedTags } from '../catalog/mod.domain.ts';
import type { ArtifactFormat, Translations, Visibility } from '../catalog.data.ts';

/** Fields of an insert; absent fields keep the stored value, null and empty lists clear it. */
export interface GivenDetails {
  title: string;
  summary?: string | undefined;
  description?: string | undefined;
  readmeText?: string | undefined;
  warnings?: string | undefined;
  tags?: readonly string[] | undefined;
  titleI18n?: Translations | undefined;
  summaryI18n?: Translations | undefined;
  descriptionI18n?: Translations | undefined;
  readmeI18n?: Translations | undefined;
  warningsI18n?: Translations | undefined;
  author?: string | undefined;
  isBeta?: boolean | undefined;
  uploadedOnBehalf?: boolean | undefined;
  discordUrl?: string | null | undefined;
  websiteUrl?: string | null | undefined;
  donationUrls?: readonly string[] | undefined;
  banner?: ModImage | null | undefined;
  previews?: readonly ModImage[] | undefined;
  forkedFrom?: ModReference | null | undefined;
  inspiredBy?: ModReference | null | undefined;
  visibility?: Visibility | undefined;
}

/** A release as an insert describes it. */
export interface GivenRelease {
  tag: string;
  branch: string;
  title: string;
  changelog: string;
  titleI18n: Translations;
  changelogI18n: Translations;
  format: ArtifactFormat;
  isPublished: boolean;
  isSilent: boolean;
}

/** Fields forbidden for an upload on behalf of the creator. */
const NOT_ON_BEHALF = ['discordUrl', 'websiteUrl', 'donationUrls', 'forkedFrom', 'inspiredBy'] as const;
export type OwnersField = (typeof NOT_ON_BEHALF)[number];

/** Details of a new mod where an insert says nothing. */
export function blankDetails(title: string, author: string): ModDetails {
  return {
    title,
    summary: '',
    description: '',
    readmeText: '',
    warnings: '',
    tags: [],
    titleI18n: {},
    summaryI18n: {},
    descriptionI18n: {},
    readmeI18n: {},
    warningsI18n: {},
    author,
    isBeta: false,
    uploadedOnBehalf: false,
    discordUrl: null,
    websiteUrl: null,
    donationUrls: [],
    banner: null,
    previews: [],
    forkedFrom: null,
    inspiredBy: null,
    visibility: 'public',
  };
}

/** Whether a value says something. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/**
 * Details after an insert. `refused` names fields that may not be given for a mod whose uploader is not its creator;
 * those that were stored before it became one are dropped.
 */
export function mergedDetails(before: ModDetails, given: GivenDetails): { details: ModDetails; refused: OwnersField[] } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<ModDetails>;
  const details: ModDetails = { ...detailsOf(before), ...said, tags: normalizedTags(said.tags ?? before.tags) };
  if (!details.uploadedOnBehalf) return { details, refused: [] };
  const refused = NOT_ON_BEHALF.filter((field) => isGiven(given[field]));
  const none = { discordUrl: null, websiteUrl: null, donationUrls: [], forkedFrom: null, inspiredBy: null };
  return { details: { ...details, ...none }, refused };
}

/** The details alone of a stored mod. */
export function detailsOf(mod: ModDetails): ModDetails {
  const keys = Object.keys(blankDetails('', '')) as (keyof ModDetails)[];
  return Object.fromEntries(keys.map((key) => [key, mod[key]])) as unknown as ModDetails;
}

/** Default author of a new mod: the author in the header of its first artifact, otherwise the handle. */
export function defaultAuthor(artifact: Pick<InspectedArtifact, 'author'> | null, handle: string): string {
  return artifact?.author?.trim() || handle;
}

const ZIP_START = [0x50, 0x4b];

/** Whether bytes begin as a zip archive does. */
export function looksLikeZip(bytes: Uint8Array): boolean {
  return ZIP_START.every((byte, index) => bytes[index] === byte);
}

/** Whether a release triggers an event: published, not silent, of a public mod. */
export function isAnnounced(
  mod: Pick<Mod, 'visibility' | 'takenDownAt' | 'isApproved'>,
  release: Pick<GivenRelease, 'isPublished' | 'isSilent'>,
): boolean {
  return isVisible(mod) && release.isPublished && !release.isSilent;
}
