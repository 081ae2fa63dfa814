import { z } from '@hono/zod-openapi';
import { enumOf, integer, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { boundedList, type FieldBytes, maxJsonBytes, requireFitting } from '../../../platform/http/replies/list-bounds.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { visibleText } from '../../../platform/kit/values/visible-text.ts';
import {
  ATTACHED_RELEASES,
  FORMATS,
  IMAGE_WIDTHS,
  LANGUAGES,
  MAX_ATTACHED_RELEASES,
  MAX_FILENAME_LENGTH,
  MAX_HANDLE_LENGTH,
  MAX_LOOKUP_BYTES,
  MAX_LOOKUP_HASHES,
  MAX_SLUG_LENGTH,
  MOD_LIMITS,
  RELEASE_LIMITS,
  SORTS,
  type Translations,
} from '../records/catalog.data.ts';
import { categoriesOf, type Mod, type ModLinks, type ModReference, type ModWithReleases, type Release } from '../records/mod.domain.ts';
import {
  ATTACHED_RELEASE_TEXTS,
  cutMod,
  cutRelease,
  fieldBytesOf,
  LIST_MOD_TEXTS,
  LIST_RELEASE_TEXTS,
  LOOKUP_MOD_TEXTS,
  LOOKUP_RELEASE_TEXTS,
  MOD_TEXT_NAMES,
  RELEASE_TEXT_NAMES,
} from './listed-mod.domain.ts';

const EXAMPLE_SHA256 = '14de6c734b96e3e101c7744bb4679941ee66fb52b9786e16685167efa7f263db';
const EXAMPLE_IMAGE_SHA256 = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';
const EXAMPLE_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The longest URL of this service and of its portal. */
export const MAX_LINK_LENGTH = 300;
const ID_LENGTH = 64;
const TIME_LENGTH = 24;

export const text = (max: number, description: string, example: string) => z.string().max(max).openapi({ description, example });
export const link = (description: string, example: string) => text(MAX_LINK_LENGTH, description, example);
export const time = (description: string, example: string) => text(TIME_LENGTH, description, example);
export const textOrNull = (description: string, example: string | null, max: number = MAX_LINK_LENGTH) =>
  z.string().max(max).nullable().openapi({ description, example });
export const timeOrNull = (description: string, example: string | null) => textOrNull(description, example, TIME_LENGTH);
export const texts = (description: string, example: string[], items: { count: number; length: number }) =>
  z.array(z.string().max(items.length)).max(items.count).openapi({ description, example });
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
    handle: text(MAX_HANDLE_LENGTH, 'Handle of the owner.', 'ana'),
    slug: text(MAX_SLUG_LENGTH, 'Slug of the mod.', 'old-wings'),
    title: text(MOD_LIMITS.title, 'Title of the mod.', 'Old Wings'),
    owner: text(MAX_HANDLE_LENGTH, 'Handle of the owner.', 'ana'),
  })
  .openapi('ModReference', { description: 'Reference to another mod, with its title at the time of the reference.' });

const TAGS = { count: MOD_LIMITS.tags, length: MOD_LIMITS.tag };

const modShape = {
  handle: text(MAX_HANDLE_LENGTH, 'Handle of the owner; `stray` for unclaimed mods.', 'ana'),
  slug: text(MAX_SLUG_LENGTH, 'Slug; unique per handle.', 'tiny-wings'),
  title: text(MOD_LIMITS.title, 'Title.', 'Tiny Wings'),
  summary: text(MOD_LIMITS.summary, 'Summary in one sentence.', 'Wings, but smaller.'),
  description: text(MOD_LIMITS.description, 'Markdown.', 'Makes **every** pair of wings smaller.'),
  readme_text: text(MOD_LIMITS.readme, 'Long-form readme in Markdown; empty if none.', ''),
  warnings: text(MOD_LIMITS.warnings, 'Plain text with `<br>` between blocks; empty if none.', ''),
  title_i18n: TranslationsBody,
  summary_i18n: TranslationsBody,
  description_i18n: TranslationsBody,
  readme_i18n: TranslationsBody,
  warnings_i18n: TranslationsBody,
  tags: texts('At most 12 tags.', ['Wings', 'small'], TAGS),
  categories: texts('Tags that are categories, in bit order.', ['Wings'], TAGS),
  flags: integer('Bits of the categories.', 8192),
  author: text(
    MOD_LIMITS.author,
    'Creators, comma-separated: of a project the handles of its members, owners first; otherwise as credited.',
    'Ana',
  ),
  credited: text(MOD_LIMITS.author, 'Names that the owner of a project credits, unverified; empty if none.', ''),
  is_stray: flag('Whether the mod is mirrored from a community catalog and unclaimed.', false),
  is_beta: flag('Whether the author labelled the mod as beta.', false),
  uploaded_on_behalf: flag('Whether the uploader is not the creator.', false),
  banner_url: textOrNull('Absolute URL of the banner.', null),
  preview_urls: texts('Absolute URLs of preview images.', [], { count: MOD_LIMITS.previews, length: MAX_LINK_LENGTH }),
  download_count: integer('Downloads of all releases.', 12),
  downloads_7d: integer('Downloads of today and the six previous UTC days.', 3),
  star_count: integer('Stars.', 0),
  popularity_score: z.number().openapi({ description: 'Popularity, 0 to 1; the most popular mod has 1. Recomputed hourly.', example: 0.5 }),
  discord_url: textOrNull('URL of the chat of the mod.', null, MOD_LIMITS.url),
  website_url: textOrNull('URL of the website of the mod.', null, MOD_LIMITS.url),
  donation_urls: texts('At most 5 URLs.', [], { count: MOD_LIMITS.donationUrls, length: MOD_LIMITS.url }),
  page_url: link('Absolute URL of the mod page.', 'https://portal.example/mods/ana/tiny-wings'),
  api_url: link('Absolute URL of the mod details.', 'https://api.example.com/v1/mods/ana/tiny-wings'),
  created_at: time('Time when the mod was added.', '2026-03-10T15:00:00.000Z'),
  updated_at: time('Time of the newest change of the mod or a release.', '2026-03-10T15:00:00.000Z'),
  last_release_at: timeOrNull('Time when the newest non-silent release was published; null before the first.', '2026-03-10T15:00:00.000Z'),
  forked_from: orNull(ModReferenceBody, 'Mod that this one is a fork of.'),
  inspired_by: orNull(ModReferenceBody, 'Mod that inspired this one.'),
  fork_count: integer('Number of visible forks.', 0),
};

export const ModBody = z.object(modShape).openapi('Mod', { description: 'A mod of the catalog.' });

export const ModReleaseBody = z
  .object({
    id: text(ID_LENGTH, 'Id of the release.', EXAMPLE_ID),
    tag: text(RELEASE_LIMITS.tag, 'Version; unique per branch.', '1.0.0'),
    branch: text(RELEASE_LIMITS.branch, 'Variant of the mod.', 'main'),
    title: text(RELEASE_LIMITS.title, 'Title; may be empty.', 'First release'),
    changelog: text(RELEASE_LIMITS.changelog, 'Changelog of the release.', 'Everything.'),
    title_i18n: TranslationsBody,
    changelog_i18n: TranslationsBody,
    format: enumOf(FORMATS).openapi({ description: 'Kind of file.', example: 'tmod' }),
    filename: text(MAX_FILENAME_LENGTH, 'File name to save as; the game accepts a `tmod` only with this name.', 'Tiny Wings.tmod'),
    size: integer('Size in bytes.', 130),
    sha256: text(ID_LENGTH, 'Hex SHA-256 of the bytes served by `download_url`.', EXAMPLE_SHA256),
    download_count: integer('Downloads of this release.', 12),
    download_url: link('Absolute URL of the file.', `https://api.example.com/v1/mods/ana/tiny-wings/releases/${EXAMPLE_ID}/download`),
    published_at: time('Time when the release was published.', '2026-03-10T15:00:00.000Z'),
  })
  .openapi('ModRelease', { description: 'A published release of a mod.' });

export const ModDetailBody = z
  .object({
    ...modShape,
    releases: z.array(ModReleaseBody).openapi({ description: 'Published releases, newest first.' }),
    omitted_releases: integer('Number of the oldest releases that are missing, because the response would be larger than 8 MiB.', 0),
  })
  .openapi('ModDetail', { description: 'A mod with its releases.' });

const truncated = z
  .array(z.string().max(20))
  .max(Object.keys(MOD_TEXT_NAMES).length)
  .openapi({ description: 'Names of the fields that are cut here; `api_url` has all of them.', example: [] });

type Texts = Readonly<Record<'description' | 'readmeText' | 'warnings', number>>;
/** The shape of a mod whose long texts are cut. */
const cutModShape = ({ description, readmeText, warnings }: Texts) => ({
  ...modShape,
  description: text(description, `Markdown; at most ${description} characters.`, 'Makes **every** pair of wings smaller.'),
  readme_text: text(readmeText, `Long-form readme in Markdown; at most ${readmeText} characters.`, ''),
  warnings: text(warnings, `Plain text with \`<br>\` between blocks; at most ${warnings} characters.`, ''),
  truncated,
});
const cutReleaseShape = ({ changelog }: Readonly<Record<'changelog', number>>) => ({
  ...ModReleaseBody.shape,
  changelog: text(changelog, `Changelog of the release; at most ${changelog} characters.`, 'Everything.'),
  truncated,
});

export const ListedModBody = z
  .object(cutModShape(LIST_MOD_TEXTS))
  .openapi('ListedMod', { description: 'A mod in a list, whose long texts are cut; the translations of a text share one maximum.' });
const LINK_BYTES = MAX_LINK_LENGTH + 3;
/** Fields that are ASCII. */
const ASCII_FIELDS: FieldBytes = {
  id: ID_LENGTH + 2,
  sha256: ID_LENGTH + 2,
  categories: MOD_LIMITS.tags * (MOD_LIMITS.tag + 3) + 2,
  ...Object.fromEntries(['created_at', 'updated_at', 'last_release_at', 'published_at'].map((name) => [name, TIME_LENGTH + 2])),
  ...Object.fromEntries(['page_url', 'api_url', 'banner_url', 'image_url', 'download_url'].map((name) => [name, LINK_BYTES])),
  preview_urls: MOD_LIMITS.previews * LINK_BYTES + 2,
};
const MOD_FIELDS = { ...ASCII_FIELDS, ...fieldBytesOf(MOD_TEXT_NAMES, LIST_MOD_TEXTS) };
/** A list of at most `max` mods. */
const modList = (max: number, description: string) => boundedList(ListedModBody, max, MOD_FIELDS).openapi({ description });
const MAX_PAGE_MODS = 100;
const MAX_POPULAR_MODS = 25;

/** Shape of a page; `names`: what the items are. */
export const pageShape = <Items extends z.ZodType>(items: Items, names: string, limit: number) => ({
  items,
  count: integer(`Number of ${names} on this page.`, 1),
  total: integer(`Total number of matching ${names}.`, 1),
  limit: integer('Requested page size.', limit),
  offset: integer(`Number of skipped ${names}.`, 0),
});

export const ModListBody = z
  .object(pageShape(modList(MAX_PAGE_MODS, 'The mods of the page.'), 'mods', 50))
  .openapi('ModList', { description: 'A page of mods.' });

export const PopularModsBody = z
  .object({ items: modList(MAX_POPULAR_MODS, 'Most popular first.'), count: integer('Mods.', 1) })
  .openapi('PopularMods', { description: 'Popular mods.' });

const releaseFields = (limits: Parameters<typeof fieldBytesOf<keyof typeof RELEASE_TEXT_NAMES>>[1]): FieldBytes => ({
  ...ASCII_FIELDS,
  ...fieldBytesOf(RELEASE_TEXT_NAMES, limits),
});
export const LISTED_RELEASE_FIELDS = releaseFields(LIST_RELEASE_TEXTS);

/** Fields of a release in a list. */
export const listedReleaseShape = cutReleaseShape(LIST_RELEASE_TEXTS);
const LookedUpReleaseBody = z
  .object(cutReleaseShape(LOOKUP_RELEASE_TEXTS))
  .openapi('LookedUpRelease', { description: 'A release of a lookup, whose long texts are cut.' });
const AttachedReleaseBody = z
  .object(cutReleaseShape(ATTACHED_RELEASE_TEXTS))
  .openapi('AttachedRelease', { description: 'A release that a lookup attaches to its mod, whose long texts are cut.' });

const lookedUpMod = z.object(cutModShape(LOOKUP_MOD_TEXTS));
const LookupModBody = z
  .object({
    ...lookedUpMod.shape,
    releases: z
      .array(AttachedReleaseBody)
      .max(MAX_ATTACHED_RELEASES)
      .optional()
      .openapi({ description: 'Published releases selected by `releases`, newest first; absent for `none`.' }),
    omitted_releases: z
      .number()
      .int()
      .optional()
      .openapi({
        description: `Number of the oldest releases that are missing: a response attaches ${MAX_ATTACHED_RELEASES} releases, shared equally by its results. Absent for \`none\`.`,
        example: 0,
      }),
  })
  .openapi('LookedUpMod', { description: 'A mod with the requested releases, whose long texts are cut.' });

const LOOKUP_FIELDS = { ...ASCII_FIELDS, ...fieldBytesOf(MOD_TEXT_NAMES, LOOKUP_MOD_TEXTS) };
requireFitting(
  'a lookup',
  MAX_LOOKUP_HASHES *
    (maxJsonBytes(lookedUpMod, LOOKUP_FIELDS) + maxJsonBytes(LookedUpReleaseBody, releaseFields(LOOKUP_RELEASE_TEXTS)) + 200) +
    MAX_ATTACHED_RELEASES * (maxJsonBytes(AttachedReleaseBody, releaseFields(ATTACHED_RELEASE_TEXTS)) + 1) +
    MAX_LOOKUP_BYTES,
);

export const ModLookupBody = z
  .object({
    results: z
      .record(
        z.string(),
        z
          .object({ mod: LookupModBody, release: LookedUpReleaseBody })
          .openapi('ModLookupResult', { description: 'Release with this hash, and its mod.' }),
      )
      .openapi({ description: 'Matches by hash, as sent.', example: {} }),
    unknown: z.array(z.string()).openapi({ description: 'Hashes without a public release, in the order sent.', example: [EXAMPLE_SHA256] }),
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
  author: filter('Creator or handle, case-insensitive; not a name that a project credits.', 'Ana'),
  sort: choice(SORTS, {
    code: 'bad_request',
    description: 'Sort order: last non-silent release, popularity, downloads, stars, creation date (all descending), or title.',
    example: 'popular',
  }).default('recent'),
  limit: integerWithDefault({
    min: 1,
    max: MAX_PAGE_MODS,
    default: 50,
    description: `Maximum number of mods on the page, 1 to ${MAX_PAGE_MODS}.`,
    example: 50,
  }),
  offset,
});

export const PopularModsQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: MAX_POPULAR_MODS,
    default: MAX_POPULAR_MODS,
    description: `Maximum number of mods, 1 to ${MAX_POPULAR_MODS}.`,
    example: MAX_POPULAR_MODS,
  }),
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
    reason: severalLines(z.string().max(500))
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
  limit: integerWithDefault({
    min: 1,
    max: MAX_PAGE_MODS,
    default: 50,
    description: `Maximum number of mods on the page, 1 to ${MAX_PAGE_MODS}.`,
    example: 50,
  }),
  offset,
});
export const HiddenModsBody = z
  .object({
    items: modList(MAX_PAGE_MODS, 'By handle and slug.'),
    count: integer('Number of mods on this page.', 1),
    total: integer('Total number of hidden mods with this reason.', 1),
  })
  .openapi('HiddenMods', { description: 'Hidden mods.' });

function toReferenceBody(reference: ModReference | null): z.infer<typeof ModReferenceBody> | null {
  return reference && { handle: reference.handle, slug: reference.slug, title: visibleText(reference.title), owner: reference.owner };
}

const visibleTranslations = (translations: Translations): Translations =>
  Object.fromEntries(Object.entries(translations).map(([language, translated]) => [language, visibleText(translated)]));

export function toModBody(mod: Mod, links: ModLinks): z.infer<typeof ModBody> {
  return {
    handle: mod.handle,
    slug: mod.slug,
    title: visibleText(mod.title),
    summary: visibleText(mod.summary),
    description: visibleText(mod.description),
    readme_text: visibleText(mod.readmeText),
    warnings: visibleText(mod.warnings),
    title_i18n: visibleTranslations(mod.titleI18n),
    summary_i18n: visibleTranslations(mod.summaryI18n),
    description_i18n: visibleTranslations(mod.descriptionI18n),
    readme_i18n: visibleTranslations(mod.readmeI18n),
    warnings_i18n: visibleTranslations(mod.warningsI18n),
    tags: mod.tags.map(visibleText),
    ...categoriesOf(mod.tags),
    author: visibleText(mod.author),
    credited: visibleText(mod.credited),
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

/** A mod in a list. */
export function toListedModBody(mod: Mod, links: ModLinks): z.infer<typeof ListedModBody> {
  const { value, truncated } = cutMod(mod);
  return { ...toModBody(value, links), truncated };
}

/** A mod in a lookup. */
export function toLookedUpModBody(mod: Mod, links: ModLinks): z.infer<typeof lookedUpMod> {
  const { value, truncated } = cutMod(mod, LOOKUP_MOD_TEXTS);
  return { ...toModBody(value, links), truncated };
}

/** A release in a lookup: the one with the hash, or an attached one. */
export function toLookedUpReleaseBody(
  mod: Mod,
  release: Release,
  links: ModLinks,
  isAttached = false,
): z.infer<typeof LookedUpReleaseBody> {
  const { value, truncated } = cutRelease(release, isAttached ? ATTACHED_RELEASE_TEXTS : LOOKUP_RELEASE_TEXTS);
  return { ...toReleaseBody(mod, value, links), truncated };
}

export function toReleaseBody(mod: Mod, release: Release, links: ModLinks): z.infer<typeof ModReleaseBody> {
  return {
    id: release.id,
    tag: visibleText(release.tag),
    branch: visibleText(release.branch),
    title: visibleText(release.title),
    changelog: visibleText(release.changelog),
    title_i18n: visibleTranslations(release.titleI18n),
    changelog_i18n: visibleTranslations(release.changelogI18n),
    format: release.format,
    filename: visibleText(release.filename),
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
