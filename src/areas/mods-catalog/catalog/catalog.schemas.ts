import { z } from '@hono/zod-openapi';
import { enumOf, integer, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { ATTACHED_RELEASES, FORMATS, IMAGE_WIDTHS, LANGUAGES, MAX_LOOKUP_HASHES, SORTS } from '../catalog.data.ts';
import { categoriesOf, type Mod, type ModLinks, type ModReference, type ModWithReleases, type Release } from './mod.domain.ts';

const EXAMPLE_SHA256 = '14de6c734b96e3e101c7744bb4679941ee66fb52b9786e16685167efa7f263db';
const EXAMPLE_IMAGE_SHA256 = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';
const EXAMPLE_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

export const textOrNull = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });
export const texts = (description: string, example: string[]) => z.array(z.string()).openapi({ description, example });
export const flag = (description: string, example: boolean) => z.boolean().openapi({ description, example });

const translation = (language: string) =>
  z
    .string()
    .optional()
    .openapi({ description: `The text in ${language}.`, example: 'Petites ailes' });
const TranslationsBody = z
  .object(
    Object.fromEntries(LANGUAGES.map((language) => [language, translation(language)])) as Record<
      (typeof LANGUAGES)[number],
      ReturnType<typeof translation>
    >,
  )
  .openapi('Translations', { description: 'Translations by language code; empty if none.', example: { fr: 'Petites ailes' } });

const ModReferenceBody = z
  .object({
    handle: string('Handle of the owner.', 'ana'),
    slug: string('Slug of the mod.', 'old-wings'),
    title: string('Title of the mod.', 'Old Wings'),
    owner: string('Handle of the owner.', 'ana'),
  })
  .openapi('ModReference', { description: 'Reference to another mod, with its title at the time of the reference.' });

const modShape = {
  handle: string('Handle of the owner; `stray` for unclaimed mods.', 'ana'),
  slug: string('Slug; unique per handle.', 'tiny-wings'),
  title: string('Title.', 'Tiny Wings'),
  summary: string('Summary in one sentence.', 'Wings, but smaller.'),
  description: string('Markdown.', 'Makes **every** pair of wings smaller.'),
  readme_text: string('Long-form readme in Markdown; empty if none.', ''),
  warnings: string('Plain text with `<br>` between blocks; empty if none.', ''),
  title_i18n: TranslationsBody,
  summary_i18n: TranslationsBody,
  description_i18n: TranslationsBody,
  readme_i18n: TranslationsBody,
  warnings_i18n: TranslationsBody,
  tags: texts('At most 12 tags.', ['Wings', 'small']),
  categories: texts('Tags that are categories, in bit order.', ['Wings']),
  flags: integer('Bits of the categories.', 8192),
  author: string('Credited creators, comma-separated.', 'Ana'),
  is_stray: flag('Whether the mod is mirrored from a community catalog and unclaimed.', false),
  is_beta: flag('Whether the author labelled the mod as beta.', false),
  uploaded_on_behalf: flag('Whether the uploader is not the creator.', false),
  banner_url: textOrNull('Absolute URL of the banner.', null),
  preview_urls: texts('Absolute URLs of preview images.', []),
  download_count: integer('Downloads of all releases.', 12),
  downloads_7d: integer('Downloads of today and the six previous UTC days.', 3),
  star_count: integer('Stars.', 0),
  popularity_score: z.number().openapi({ description: 'Popularity, 0 to 1; the most popular mod has 1. Recomputed hourly.', example: 0.5 }),
  discord_url: textOrNull('URL of the chat of the mod.', null),
  website_url: textOrNull('URL of the website of the mod.', null),
  donation_urls: texts('At most 5 URLs.', []),
  page_url: string('Absolute URL of the mod page.', 'https://portal.example/mods/ana/tiny-wings'),
  api_url: string('Absolute URL of the mod details.', 'https://api.example.com/v1/mods/ana/tiny-wings'),
  created_at: string('Time when the mod was added.', '2026-03-10T15:00:00.000Z'),
  updated_at: string('Time of the newest change of the mod or a release.', '2026-03-10T15:00:00.000Z'),
  last_release_at: textOrNull('Time when the newest non-silent release was published; null before the first.', '2026-03-10T15:00:00.000Z'),
  forked_from: orNull(ModReferenceBody, 'Mod that this one is a fork of.'),
  inspired_by: orNull(ModReferenceBody, 'Mod that inspired this one.'),
  fork_count: integer('Number of visible forks.', 0),
};

export const ModBody = z.object(modShape).openapi('Mod', { description: 'A mod of the catalog.' });

export const ModReleaseBody = z
  .object({
    id: string('Id of the release.', EXAMPLE_ID),
    tag: string('Version; unique per branch.', '1.0.0'),
    branch: string('Variant of the mod.', 'main'),
    title: string('Title; may be empty.', 'First release'),
    changelog: string('Changelog of the release.', 'Everything.'),
    title_i18n: TranslationsBody,
    changelog_i18n: TranslationsBody,
    format: enumOf(FORMATS).openapi({ description: 'Kind of file.', example: 'tmod' }),
    filename: string('File name to save as; the game accepts a `tmod` only with this name.', 'Tiny Wings.tmod'),
    size: integer('Size in bytes.', 130),
    sha256: string('Hex SHA-256 of the bytes served by `download_url`.', EXAMPLE_SHA256),
    download_count: integer('Downloads of this release.', 12),
    download_url: string('Absolute URL of the file.', `https://api.example.com/v1/mods/ana/tiny-wings/releases/${EXAMPLE_ID}/download`),
    published_at: string('Time when the release was published.', '2026-03-10T15:00:00.000Z'),
  })
  .openapi('ModRelease', { description: 'A published release of a mod.' });

export const ModDetailBody = z
  .object({
    ...modShape,
    releases: z.array(ModReleaseBody).openapi({ description: 'Published releases, newest first.' }),
    omitted_releases: integer('Number of the oldest releases that are missing, because the response would be larger than 8 MiB.', 0),
  })
  .openapi('ModDetail', { description: 'A mod with its releases.' });

/** Shape of a page of items; `names`: what they are. */
export const pageShape = <Item extends z.ZodType>(item: Item, names: string, limit: number) => ({
  items: z.array(item).openapi({ description: `The ${names} of the page.` }),
  count: integer(`Number of ${names} on this page.`, 1),
  total: integer(`Total number of matching ${names}.`, 1),
  limit: integer('Requested page size.', limit),
  offset: integer(`Number of skipped ${names}.`, 0),
});

export const ModListBody = z.object(pageShape(ModBody, 'mods', 50)).openapi('ModList', { description: 'A page of mods.' });

export const PopularModsBody = z
  .object({ items: z.array(ModBody).openapi({ description: 'Most popular first.' }), count: integer('Mods.', 1) })
  .openapi('PopularMods', { description: 'Popular mods.' });

const LookupModBody = z
  .object({
    ...modShape,
    releases: z
      .array(ModReleaseBody)
      .optional()
      .openapi({ description: 'Published releases selected by `releases`, newest first; absent for `none`.' }),
  })
  .openapi('LookedUpMod', { description: 'A mod with the requested releases.' });

export const ModLookupBody = z
  .object({
    results: z
      .record(
        z.string(),
        z
          .object({ mod: LookupModBody, release: ModReleaseBody })
          .openapi('ModLookupResult', { description: 'Release with this hash, and its mod.' }),
      )
      .openapi({ description: 'Matches by hash, as sent.', example: {} }),
    unknown: texts('Hashes without a public release, in the order sent.', [EXAMPLE_SHA256]),
  })
  .openapi('ModLookup', { description: 'Result of a hash lookup.' });

export const ModLookupInput = z
  .object({
    hashes: z
      .array(z.string())
      .min(1)
      .max(MAX_LOOKUP_HASHES)
      .openapi({ description: `Hex SHA-256 hashes, 1 to ${MAX_LOOKUP_HASHES}.`, example: [EXAMPLE_SHA256] }),
    releases: enumOf(ATTACHED_RELEASES).nullable().optional().openapi({
      description:
        'Releases attached to each mod: none, the newest published one per branch (`latest`), or all. If absent or null, `include_releases` applies.',
      example: 'latest',
    }),
    include_releases: z
      .boolean()
      .default(false)
      .openapi({ description: '`true` means `latest`, `false` means `none`; `releases` takes precedence.', example: false }),
  })
  .openapi('ModLookupInput', { description: 'Hashes of files.' });

/** Filter text. Control characters are rejected because they separate the fields of the search text. */
export const filterText = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    .openapi({ type: 'string', description, example });
const filter = (description: string, example: string) => filterText(200, description, example).optional();

const offset = integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of mods to skip.', example: 0 });

export const ModListQuery = z.object({
  q: filter('Literal text in title, summary, tags or author, case-insensitive.', 'wings'),
  tag: filter('Tag, case-insensitive.', 'Wings'),
  author: filter('Credited creator or handle, case-insensitive.', 'Ana'),
  sort: choice(SORTS, {
    code: 'bad_request',
    description: 'Sort order: last non-silent release, popularity, downloads, stars, creation date (all descending), or title.',
    example: 'popular',
  }).default('recent'),
  limit: integerWithDefault({ min: 1, max: 100, default: 50, description: 'Maximum number of mods on the page, 1 to 100.', example: 50 }),
  offset,
});

export const PopularModsQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 25, default: 25, description: 'Maximum number of mods, 1 to 25.', example: 25 }),
});

const MAX_SEGMENT_LENGTH = 100;
export const segment = (description: string, example: string) =>
  z.string().min(1).max(MAX_SEGMENT_LENGTH).openapi({ description, example });

export const ModParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the mod, case-insensitive.', 'tiny-wings'),
});
export const ReleaseParams = ModParams.extend({ id: segment('Id of the release.', EXAMPLE_ID) });
export const ImageParams = z.object({ sha256: segment('Hex SHA-256 of the image.', EXAMPLE_IMAGE_SHA256) });

export const TakeDownInput = z
  .object({
    reason: z
      .string()
      .max(500)
      .nullish()
      .openapi({ description: 'Reason, mailed to the members of the project. Up to 500 characters.', example: 'Contains malware.' }),
  })
  .openapi('ModTakeDown', { description: 'Why.' });

export const ImageQuery = z.object({
  w: choice(IMAGE_WIDTHS, {
    code: 'bad_request',
    description:
      'Width in pixels of a resized WebP, with proportional height. The original is returned if it is not wider, animated, already WebP, or cannot be decoded.',
    example: '708',
  }).optional(),
});

const HIDDEN_STATES = namedValues('HiddenModState', 'Reason why a mod is hidden.', ['pending', 'taken-down']);
export const HiddenModsQuery = z.object({
  state: enumOf(HIDDEN_STATES).default('pending').openapi({ description: 'Reason why the mods are hidden.', example: 'pending' }),
  limit: integerWithDefault({ min: 1, max: 100, default: 50, description: 'Maximum number of mods on the page, 1 to 100.', example: 50 }),
  offset,
});
export const HiddenModsBody = z
  .object({
    items: z.array(ModBody).openapi({ description: 'By handle and slug.' }),
    count: integer('Number of mods on this page.', 1),
    total: integer('Total number of hidden mods with this reason.', 1),
  })
  .openapi('HiddenMods', { description: 'Hidden mods.' });

function toReferenceBody(reference: ModReference | null): z.infer<typeof ModReferenceBody> | null {
  return reference && { handle: reference.handle, slug: reference.slug, title: reference.title, owner: reference.owner };
}

export function toModBody(mod: Mod, links: ModLinks): z.infer<typeof ModBody> {
  return {
    handle: mod.handle,
    slug: mod.slug,
    title: mod.title,
    summary: mod.summary,
    description: mod.description,
    readme_text: mod.readmeText,
    warnings: mod.warnings,
    title_i18n: mod.titleI18n,
    summary_i18n: mod.summaryI18n,
    description_i18n: mod.descriptionI18n,
    readme_i18n: mod.readmeI18n,
    warnings_i18n: mod.warningsI18n,
    tags: [...mod.tags],
    ...categoriesOf(mod.tags),
    author: mod.author,
    is_stray: mod.isStray,
    is_beta: mod.isBeta,
    uploaded_on_behalf: mod.uploadedOnBehalf,
    banner_url: mod.banner && links.image(mod.banner.sha256),
    preview_urls: mod.previews.map(({ sha256 }) => links.image(sha256)),
    download_count: mod.downloadCount,
    downloads_7d: mod.downloads7d,
    star_count: mod.starCount,
    popularity_score: mod.popularity,
    discord_url: mod.discordUrl,
    website_url: mod.websiteUrl,
    donation_urls: [...mod.donationUrls],
    page_url: links.page(mod),
    api_url: links.detail(mod),
    created_at: toIso(mod.createdAt),
    updated_at: toIso(mod.updatedAt),
    last_release_at: mod.lastReleaseAt === 0 ? null : toIso(mod.lastReleaseAt),
    forked_from: toReferenceBody(mod.forkedFrom),
    inspired_by: toReferenceBody(mod.inspiredBy),
    fork_count: mod.forkCount,
  };
}

export function toReleaseBody(mod: Mod, release: Release, links: ModLinks): z.infer<typeof ModReleaseBody> {
  return {
    id: release.id,
    tag: release.tag,
    branch: release.branch,
    title: release.title,
    changelog: release.changelog,
    title_i18n: release.titleI18n,
    changelog_i18n: release.changelogI18n,
    format: release.format,
    filename: release.filename,
    size: release.size,
    sha256: release.sha256,
    download_count: release.downloadCount,
    download_url: links.download(mod, release.id),
    published_at: toIso(release.publishedAt ?? 0),
  };
}

export function toModDetailBody({ mod, releases, omitted = 0 }: ModWithReleases, links: ModLinks): z.infer<typeof ModDetailBody> {
  return { ...toModBody(mod, links), releases: releases.map((release) => toReleaseBody(mod, release, links)), omitted_releases: omitted };
}
