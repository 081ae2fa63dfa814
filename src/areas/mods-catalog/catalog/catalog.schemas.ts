import { z } from '@hono/zod-openapi';
import { enumOf, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { toIso } from '../../../platform/time/clock.ts';
import { namedValues } from '../../../platform/values/named-values.ts';
import { ATTACHED_RELEASES, FORMATS, IMAGE_WIDTHS, LANGUAGES, MAX_LOOKUP_HASHES, SORTS } from '../catalog.data.ts';
import type { ModLinks } from './links.domain.ts';
import { categoriesOf, type Mod, type ModReference, type ModWithReleases, type Release } from './mod.domain.ts';

const EXAMPLE_SHA256 = '14de6c734b96e3e101c7744bb4679941ee66fb52b9786e16685167efa7f263db';
const EXAMPLE_IMAGE_SHA256 = '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0';
const EXAMPLE_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const text = (description: string, example: string) => z.string().openapi({ description, example });
const textOrNull = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });
const count = (description: string, example: number) => z.number().int().openapi({ description, example });
const texts = (description: string, example: string[]) => z.array(z.string()).openapi({ description, example });
const yesOrNo = (description: string, example: boolean) => z.boolean().openapi({ description, example });

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
  .openapi('Translations', { description: 'A text by language code; empty when there are none.', example: { fr: 'Petites ailes' } });

const ModReferenceBody = z
  .object({
    handle: text('Handle of its owner.', 'ana'),
    slug: text('Its slug.', 'old-wings'),
    title: text('Its title.', 'Old Wings'),
    owner: text('Its owner.', 'ana'),
  })
  .openapi('ModReference', { description: 'Another mod, as it was called when it was named.' });

const cardShape = {
  handle: text('Handle of the owner; `stray` for mods nobody claimed.', 'ana'),
  slug: text('Unique for its handle.', 'tiny-wings'),
  title: text('Title.', 'Tiny Wings'),
  summary: text('In one sentence.', 'Wings, but smaller.'),
  description: text('Markdown.', 'Makes **every** pair of wings smaller.'),
  readme_text: text('Long-form readme, Markdown; empty when there is none.', ''),
  warnings: text('Plain text in which `<br>` separates blocks; empty when there are none.', ''),
  title_i18n: TranslationsBody,
  summary_i18n: TranslationsBody,
  description_i18n: TranslationsBody,
  readme_i18n: TranslationsBody,
  warnings_i18n: TranslationsBody,
  tags: texts('Up to 12.', ['Wings', 'small']),
  categories: texts('The tags that are categories, in bit order.', ['Wings']),
  flags: count('The bits of the categories.', 8192),
  author: text('Credited creator; several are separated by commas.', 'Ana'),
  is_stray: yesOrNo('Mirrored from a community catalog, not claimed by an account.', false),
  is_beta: yesOrNo('Labelled as a beta by its author.', false),
  uploaded_on_behalf: yesOrNo('The uploader is not the creator.', false),
  banner_url: textOrNull('Absolute address of the banner.', null),
  preview_urls: texts('Absolute addresses of preview pictures.', []),
  download_count: count('Downloads of all releases.', 12),
  downloads_7d: count('Downloads of today and the six UTC days before.', 3),
  star_count: count('Stars.', 0),
  popularity_score: z.number().openapi({ description: '0 to 1; the most popular mod has 1. Recomputed every hour.', example: 0.5 }),
  discord_url: textOrNull('Chat of the mod.', null),
  website_url: textOrNull('Website of the mod.', null),
  donation_urls: texts('Up to 5.', []),
  page_url: text('Absolute address of its page.', 'https://portal.example/mods/ana/tiny-wings'),
  api_url: text('Absolute address of its detail.', 'https://api.example.com/v1/mods/ana/tiny-wings'),
  created_at: text('When it was added.', '2026-03-10T15:00:00.000Z'),
  updated_at: text('Newest change of the mod or a release.', '2026-03-10T15:00:00.000Z'),
  last_release_at: textOrNull(
    'When its newest release that was not silent was published; null before the first.',
    '2026-03-10T15:00:00.000Z',
  ),
  forked_from: orNull(ModReferenceBody, 'The mod it was made from.'),
  inspired_by: orNull(ModReferenceBody, 'The mod that inspired it.'),
  fork_count: count('Visible mods made from this one.', 0),
};

export const ModBody = z.object(cardShape).openapi('Mod', { description: 'A mod of the catalog.' });

export const ModReleaseBody = z
  .object({
    id: text('Id of the release.', EXAMPLE_ID),
    tag: text('Version; unique on its branch.', '1.0.0'),
    branch: text('Variant of the mod.', 'main'),
    title: text('Title; may be empty.', 'First release'),
    changelog: text('What changed.', 'Everything.'),
    title_i18n: TranslationsBody,
    changelog_i18n: TranslationsBody,
    format: enumOf(FORMATS).openapi({ description: 'Kind of file.', example: 'tmod' }),
    filename: text('Name to save the file under; the game takes a `tmod` only under this one.', 'Tiny Wings.tmod'),
    size: count('Bytes.', 130),
    sha256: text('SHA-256 of exactly the bytes that `download_url` serves, in hex.', EXAMPLE_SHA256),
    download_count: count('Downloads of this release.', 12),
    download_url: text('Absolute address of the file.', `https://api.example.com/v1/mods/ana/tiny-wings/releases/${EXAMPLE_ID}/download`),
    published_at: text('When it was published.', '2026-03-10T15:00:00.000Z'),
  })
  .openapi('ModRelease', { description: 'A published release of a mod.' });

export const ModDetailBody = z
  .object({ ...cardShape, releases: z.array(ModReleaseBody).openapi({ description: 'Published releases, newest first.' }) })
  .openapi('ModDetail', { description: 'A mod with its releases.' });

export const ModListBody = z
  .object({
    items: z.array(ModBody).openapi({ description: 'The mods of the page.' }),
    count: count('Mods on this page.', 1),
    total: count('Mods that match.', 1),
    limit: count('Largest page that was asked for.', 50),
    offset: count('Mods skipped.', 0),
  })
  .openapi('ModList', { description: 'A page of mods.' });

export const PopularModsBody = z
  .object({ items: z.array(ModBody).openapi({ description: 'Most popular first.' }), count: count('Mods.', 1) })
  .openapi('PopularMods', { description: 'The most popular mods.' });

const LookedUpModBody = z
  .object({
    ...cardShape,
    releases: z
      .array(ModReleaseBody)
      .optional()
      .openapi({ description: 'Published releases, newest first, as far as `releases` asked for them; absent without.' }),
  })
  .openapi('LookedUpMod', { description: 'A mod with the releases that were asked for.' });

export const ModLookupBody = z
  .object({
    results: z
      .record(
        z.string(),
        z
          .object({ mod: LookedUpModBody, release: ModReleaseBody })
          .openapi('ModLookupResult', { description: 'The release with this hash, and its mod.' }),
      )
      .openapi({ description: 'By hash, as it was sent.', example: {} }),
    unknown: texts('Hashes of no public release, in the order they were sent.', [EXAMPLE_SHA256]),
  })
  .openapi('ModLookup', { description: 'What is known of some files.' });

export const ModLookupInput = z
  .object({
    hashes: z
      .array(z.string())
      .min(1)
      .max(MAX_LOOKUP_HASHES)
      .openapi({ description: `SHA-256 in hex, 1 to ${MAX_LOOKUP_HASHES}.`, example: [EXAMPLE_SHA256] }),
    releases: enumOf(ATTACHED_RELEASES).nullable().optional().openapi({
      description:
        'Releases attached to each mod: none, the newest published one of each branch (`latest`), or all. Absent or null: `include_releases` decides.',
      example: 'latest',
    }),
    include_releases: z
      .boolean()
      .default(false)
      .openapi({ description: '`true` means `latest`, `false` means `none`; `releases` wins over it.', example: false }),
  })
  .openapi('ModLookupInput', { description: 'Hashes of files.' });

/** What a filter may hold: fields are joined by control characters, so none may be asked for. */
const filter = (description: string, example: string) =>
  z
    .string()
    .max(200)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not hold control characters')
    .optional()
    .openapi({ type: 'string', description, example });

const offset = integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Mods to skip.', example: 0 });

export const ModListQuery = z.object({
  q: filter('Literal text in title, summary, tags or author, in any case.', 'wings'),
  tag: filter('One tag, in any case.', 'Wings'),
  author: filter('A credited creator or a handle, in any case.', 'Ana'),
  sort: choice(SORTS, {
    code: 'bad_request',
    description:
      'Order: last release that was not silent, popularity, downloads, stars, date of creation (all highest or newest first), or title.',
    example: 'popular',
  }).default('recent'),
  limit: integerWithDefault({ min: 1, max: 100, default: 50, description: 'Mods on the page, 1 to 100.', example: 50 }),
  offset,
});

export const PopularModsQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 25, default: 25, description: 'Mods wanted, 1 to 25.', example: 25 }),
});

const LONGEST_SEGMENT = 100;
const segment = (description: string, example: string) => z.string().min(1).max(LONGEST_SEGMENT).openapi({ description, example });

export const ModParams = z.object({
  handle: segment('Handle of the owner, in any case.', 'ana'),
  slug: segment('Slug of the mod, in any case.', 'tiny-wings'),
});
export const ReleaseParams = ModParams.extend({ id: segment('Id of the release.', EXAMPLE_ID) });
export const ImageParams = z.object({ sha256: segment('SHA-256 of the image in hex.', EXAMPLE_IMAGE_SHA256) });

export const ImageQuery = z.object({
  w: choice(IMAGE_WIDTHS, {
    code: 'bad_request',
    description:
      'Width in pixels of the WebP to send, the height in proportion. The original is sent when it is not wider, is animated, is a WebP, or cannot be decoded.',
    example: '708',
  }).optional(),
});

export const HIDDEN_STATES = namedValues('HiddenModState', 'Why a mod is hidden.', ['pending', 'taken-down']);
export const HiddenModsQuery = z.object({
  state: enumOf(HIDDEN_STATES).default('pending').openapi({ description: 'Which mods nobody sees.', example: 'pending' }),
  limit: integerWithDefault({ min: 1, max: 100, default: 50, description: 'Mods on the page, 1 to 100.', example: 50 }),
  offset,
});
export const HiddenModsBody = z
  .object({
    items: z.array(ModBody).openapi({ description: 'By handle and slug.' }),
    count: count('Mods on this page.', 1),
    total: count('Mods in this state.', 1),
  })
  .openapi('HiddenMods', { description: 'Mods that nobody sees.' });

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

export function toModDetailBody({ mod, releases }: ModWithReleases, links: ModLinks): z.infer<typeof ModDetailBody> {
  return { ...toModBody(mod, links), releases: releases.map((release) => toReleaseBody(mod, release, links)) };
}
