import type { InspectedArtifact } from '../../../game/artifact.ts';
import { cutText, visibleText } from '../../../platform/kit/values/visible-text.ts';
import { type ArtifactFormat, MOD_LIMITS, type Translations } from '../records/catalog.data.ts';
import { isVisible, type Mod, type ModDetails, normalizedTags } from '../records/mod.domain.ts';

/** Fields of an insert. Absent fields keep the stored value; null and empty lists clear it. */
export type GivenDetails = Pick<ModDetails, 'title'> & {
  [Field in Exclude<keyof ModDetails, 'title'>]?: ModDetails[Field] | undefined;
};

/** Release fields of an insert. */
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
const CREATOR_FIELDS = ['discordUrl', 'websiteUrl', 'donationUrls', 'forkedFrom', 'inspiredBy'] as const;
type CreatorField = (typeof CREATOR_FIELDS)[number];

/** Default details of a new mod. */
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
    credited: '',
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

/** Whether a value is neither absent, null nor an empty list. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/**
 * Details after an insert. For a mod uploaded on behalf of its creator, `refused` lists the forbidden fields of the insert;
 * stored values of these fields are cleared.
 */
export function mergeDetails(before: ModDetails, given: GivenDetails): { details: ModDetails; refused: CreatorField[] } {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<ModDetails>;
  const details: ModDetails = { ...detailsOf(before), ...defined, tags: normalizedTags(defined.tags ?? before.tags) };
  if (!details.uploadedOnBehalf) return { details, refused: [] };
  const refused = CREATOR_FIELDS.filter((field) => isGiven(given[field]));
  const none = { discordUrl: null, websiteUrl: null, donationUrls: [], forkedFrom: null, inspiredBy: null };
  return { details: { ...details, ...none }, refused };
}

/** Details of a stored mod, without its other fields. */
export function detailsOf(mod: ModDetails): ModDetails {
  const keys = Object.keys(blankDetails('', '')) as (keyof ModDetails)[];
  return Object.fromEntries(keys.map((key) => [key, mod[key]])) as unknown as ModDetails;
}

/** Default author of a new mod: the author in the header of its first artifact, otherwise the handle. */
export function defaultAuthor(artifact: Pick<InspectedArtifact, 'author'> | null, handle: string): string {
  return cutText(visibleText(artifact?.author ?? '').trim(), MOD_LIMITS.author) || handle;
}

const ZIP_START = [0x50, 0x4b];

/** Whether bytes start with the signature of a zip archive. */
export function hasZipSignature(bytes: Uint8Array): boolean {
  return ZIP_START.every((byte, index) => bytes[index] === byte);
}

/** Whether a release sends an event: published, not silent, and the mod is public. */
export function isAnnounced(
  mod: Pick<Mod, 'visibility' | 'takenDownAt' | 'isApproved'>,
  release: Pick<GivenRelease, 'isPublished' | 'isSilent'>,
): boolean {
  return isVisible(mod) && release.isPublished && !release.isSilent;
}
