import { z } from '@hono/zod-openapi';
import { enumOf, integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { choice, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { boundedList } from '../../../platform/http/replies/list-bounds.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { visibleText } from '../../../platform/kit/values/visible-text.ts';
import { filterText, flag, link, MAX_LINK_LENGTH, pageShape, segment, text, textOrNull, texts, time } from '../catalog/catalog.schemas.ts';
import { address, base64, EXAMPLE_ARTIFACT, line, linksAndImages, prose, requiredLine } from '../insert/insert.schemas.ts';
import {
  DEFAULT_BRANCH,
  DEFAULT_VARIANT,
  HANDLE_PATTERN,
  MAX_HANDLE_LENGTH,
  MAX_PACKS_OF_MOD,
  MOD_LIMITS,
  PACK_FORMATS,
  PACK_LIMITS,
  PACK_VISIBILITIES,
  RELEASE_LIMITS,
  SLUG_PATTERN,
} from '../records/catalog.data.ts';
import type { ModLinks } from '../records/mod.domain.ts';
import type { PackVariant } from '../records/pack-entry.domain.ts';
import type { PackCard, Resolved } from './packs.domain.ts';
import type { PackInput, PackWithVariants } from './packs.service.ts';
import type { PackSort } from './packs.store.ts';

const MAX_PAGE_PACKS = 100;
const PACK_SORTS: readonly PackSort[] = ['recent', 'downloads', 'stars', 'new', 'title'];

export const PackListQuery = z.object({
  q: filterText(PACK_LIMITS.q, 'Literal text in title, summary, tags or author, case-insensitive.', 'starter').optional(),
  tag: filterText(PACK_LIMITS.tagFilter, 'Tag, case-insensitive.', 'ui').optional(),
  author: filterText(PACK_LIMITS.author, 'Whole author, case-insensitive.', 'Ana').optional(),
  sort: z
    .string()
    .default('recent')
    .transform((value): PackSort => PACK_SORTS.find((sort) => sort === value) ?? 'recent')
    .openapi({
      type: 'string',
      description: '`recent` (last change), `downloads`, `stars`, `new` (all descending) or `title`; any other text is `recent`.',
      example: 'downloads',
    }),
  limit: integerWithDefault({
    min: 1,
    max: MAX_PAGE_PACKS,
    default: 30,
    description: `Maximum number of packs on the page, 1 to ${MAX_PAGE_PACKS}.`,
    example: 30,
  }),
  offset: integerWithDefault({ min: 0, max: 1_000_000_000, default: 0, description: 'Number of packs to skip.', example: 0 }),
});

export const PackParams = z.object({
  handle: segment('Handle of the owner, case-insensitive.', 'ana'),
  slug: segment('Slug of the pack, case-insensitive.', 'starter-set'),
});

export const PackDownloadQuery = z.object({
  variant: z
    .string()
    .max(PACK_LIMITS.variant)
    .optional()
    .openapi({ description: 'Name of the variant; an unknown name is the default variant.', example: DEFAULT_VARIANT }),
  format: choice(PACK_FORMATS, {
    description: '`tpack`: one file in the container of `.tmod` files; `zip`: an archive with the `.tmod` files in `mods/`.',
    example: 'zip',
  }).default('tpack'),
});

const cardShape = {
  slug: text(PACK_LIMITS.slug, 'Slug; unique per handle.', 'starter-set'),
  handle: text(MAX_HANDLE_LENGTH, 'Handle of the owner.', 'ana'),
  title: text(MOD_LIMITS.title, 'Title.', 'Starter Set'),
  summary: text(MOD_LIMITS.summary, 'Summary in one sentence.', 'A first set of mods.'),
  tags: texts('Tags in lower case, at most 12.', ['ui'], { count: PACK_LIMITS.tags, length: PACK_LIMITS.tag }),
  author: text(PACK_LIMITS.author, 'Credited creator.', 'Ana'),
  banner_url: textOrNull('Absolute URL of the banner.', null),
  preview_urls: texts('Absolute URLs of preview images.', [], { count: MOD_LIMITS.previews, length: MAX_LINK_LENGTH }),
  download_count: integer('Downloads of all variants.', 12),
  star_count: integer('Stars.', 0),
  variant_count: integer('Number of variants.', 2),
  mod_count: integer('Mods of the default variant, available or not.', 2),
  default_variant: text(PACK_LIMITS.variant, 'Name of the default variant.', DEFAULT_VARIANT),
  page_url: link('Absolute URL of the page of the pack.', 'https://portal.example/mods/packs/ana/starter-set'),
  created_at: time('Time when the pack was added.', '2026-03-10T15:00:00.000Z'),
  updated_at: time('Time of the newest change of the pack.', '2026-03-10T15:00:00.000Z'),
};

const PackBody = z.object(cardShape).openapi('Modpack', { description: 'A pack of mods.' });

const PackModBody = z
  .object({
    handle: string('Handle of the owner of the mod; empty for a file that belongs to the pack.', 'ana'),
    slug: string('Slug of the mod; empty for a file that belongs to the pack.', 'tiny-wings'),
    title: string('Title.', 'Tiny Wings'),
    author: string('Credited creators.', 'Ana'),
    variant: string('Branch of the mod.', DEFAULT_BRANCH),
    version: textOrNull('Tag of the release in the pack; null if no release is available.', '1.0.0'),
    version_locked: flag('Whether the pack keeps this release when a newer one is published.', false),
    is_beta: flag('Whether the author labelled the mod as beta.', false),
    available: flag('Whether downloads of the pack contain the mod.', true),
    page_url: string('Absolute URL of the mod page.', 'https://portal.example/mods/ana/tiny-wings'),
    author_url: string('Absolute URL of the mods of the author.', 'https://api.example.com/v1/mods?author=Ana'),
  })
  .openapi('ModpackMod', { description: 'A mod of a pack.' });

const PackVariantBody = z
  .object({
    name: string('Name, for downloads.', DEFAULT_VARIANT),
    label: string('Label to show.', 'All mods'),
    mod_count: integer('Number of mods.', 2),
    available_count: integer('Number of mods in downloads.', 2),
    download_url: string(
      'Absolute URL of the `tpack` file.',
      'https://api.example.com/v1/modpacks/ana/starter-set/download?variant=default&format=tpack',
    ),
    zip_url: string(
      'Absolute URL of the zip archive.',
      'https://api.example.com/v1/modpacks/ana/starter-set/download?variant=default&format=zip',
    ),
    mods: z.array(PackModBody).openapi({ description: 'The mods, in the order of the pack.' }),
  })
  .openapi('ModpackVariant', { description: 'A variant of a pack.' });

export const PackDetailBody = z
  .object({
    ...cardShape,
    description: string('Markdown.', 'Mods that go well together.'),
    warnings: string('Plain text with `<br>` between blocks; empty if none.', ''),
    discord_url: textOrNull('URL of the chat of the pack.', null, MOD_LIMITS.url),
    website_url: textOrNull('URL of the website of the pack.', null, MOD_LIMITS.url),
    donation_urls: texts('At most 5 URLs.', [], { count: MOD_LIMITS.donationUrls, length: MOD_LIMITS.url }),
    variants: z.array(PackVariantBody).openapi({ description: 'The variants.' }),
  })
  .openapi('ModpackDetail', { description: 'A pack with its variants.' });

export const PackListBody = z
  .object(pageShape(boundedList(PackBody, MAX_PAGE_PACKS).openapi({ description: 'The packs of the page.' }), 'packs', 30))
  .openapi('ModpackList', { description: 'A page of packs.' });

export const PacksOfModBody = z
  .object({
    items: boundedList(PackBody, MAX_PACKS_OF_MOD).openapi({ description: 'Most downloads first, at most 60.' }),
    count: integer('Number of packs.', 1),
  })
  .openapi('ModpacksOfMod', { description: 'Packs with a mod.' });

const EntryInput = z
  .object({
    handle: z.string().regex(HANDLE_PATTERN).optional().openapi({ description: 'Handle of a mod of the catalog.', example: 'ana' }),
    slug: z.string().regex(SLUG_PATTERN).optional().openapi({ description: 'Slug of the mod.', example: 'tiny-wings' }),
    branch: requiredLine(RELEASE_LIMITS.branch, 'Branch of the mod.', DEFAULT_BRANCH).default(DEFAULT_BRANCH),
    version: requiredLine(RELEASE_LIMITS.tag, 'Tag to keep; null or absent follows the newest release of the branch.', '1.0.0')
      .nullable()
      .default(null),
    title: line(MOD_LIMITS.title, 'Title of a file that belongs to the pack; defaults to the one in the file.', 'Tiny').optional(),
    author: line(MOD_LIMITS.author, 'Author of a file that belongs to the pack; defaults to the one in the file.', 'Me').optional(),
    artifact_base64: base64('A `tmod` file as base64, instead of `handle` and `slug`.', EXAMPLE_ARTIFACT).optional(),
  })
  .refine(
    ({ handle, slug, artifact_base64: file }) =>
      file === undefined ? handle !== undefined && slug !== undefined : handle === undefined && slug === undefined,
    'must have either handle and slug or artifact_base64',
  )
  .openapi('ModpackEntryInput', { description: 'A mod of the catalog, or a file.', example: { handle: 'ana', slug: 'tiny-wings' } });

const VariantInput = z
  .object({
    name: requiredLine(PACK_LIMITS.variant, 'Name; unique in the pack.', DEFAULT_VARIANT).transform((name) => name.trim()),
    label: line(PACK_LIMITS.label, 'Label to show.', 'All mods').default(''),
    mods: z
      .array(EntryInput)
      .min(1)
      .max(PACK_LIMITS.entries)
      .openapi({ description: `The mods; each mod and branch once. At most ${PACK_LIMITS.entries} in all variants.` }),
  })
  .openapi('ModpackVariantInput', { description: 'A variant.' });

export const PackInsert = z
  .object({
    handle: z.string().regex(HANDLE_PATTERN).openapi({ description: 'Handle of the owner.', example: 'ana' }),
    slug: z
      .string()
      .regex(SLUG_PATTERN)
      .max(PACK_LIMITS.slug)
      .optional()
      .openapi({
        description: `Slug of the pack, up to ${PACK_LIMITS.slug} characters; defaults to one derived from the title.`,
        example: 'starter-set',
      }),
    title: requiredLine(MOD_LIMITS.title, 'Title.', 'Starter Set').transform((title) => title.trim()),
    summary: line(MOD_LIMITS.summary, 'Summary in one sentence.', 'A first set of mods.').optional(),
    description: prose(MOD_LIMITS.description, 'Markdown.', 'Mods that go well together.').optional(),
    warnings: prose(MOD_LIMITS.warnings, 'Plain text with `<br>` between blocks.', '').optional(),
    tags: z
      .array(requiredLine(PACK_LIMITS.tag, 'A tag.', 'ui'))
      .max(PACK_LIMITS.tags)
      .optional()
      .openapi({ description: `At most ${PACK_LIMITS.tags} tags; stored in lower case.`, example: ['ui'] }),
    author: line(PACK_LIMITS.author, 'Credited creator; defaults to the handle.', 'Ana').optional(),
    discord_url: address('URL of the chat of the pack; null removes it.', 'https://chat.example/invite').nullable().optional(),
    website_url: address('URL of the website of the pack; null removes it.', 'https://ana.example').nullable().optional(),
    ...linksAndImages,
    visibility: enumOf(PACK_VISIBILITIES).optional().openapi({
      description: 'A draft is hidden, an unlisted pack is only absent from lists. Defaults to public for a new pack.',
      example: 'public',
    }),
    default_variant: line(
      PACK_LIMITS.variant,
      'Name of the default variant; otherwise the one named `default`, or the first.',
      DEFAULT_VARIANT,
    ).optional(),
    variants: z
      .array(VariantInput)
      .min(1)
      .max(PACK_LIMITS.variants)
      .optional()
      .openapi({ description: `1 to ${PACK_LIMITS.variants} variants; replaces the stored ones. Required for a new pack.` }),
  })
  .openapi('ModpackInsert', { description: 'A pack. Omitted fields of an existing pack are unchanged.' });

export const PackInserted = z
  .object({ ok: z.literal(true).openapi({ description: 'Stored.', example: true }), pack: PackDetailBody })
  .openapi('ModpackInserted', { description: 'Result of the insert.' });

export function toPackInput(body: z.output<typeof PackInsert>): PackInput {
  return {
    handle: body.handle,
    slug: body.slug,
    title: body.title,
    summary: body.summary,
    description: body.description,
    warnings: body.warnings,
    tags: body.tags && [...new Set(body.tags.map((tag) => foldCase(tag.trim())))],
    author: body.author?.trim() || undefined,
    discordUrl: body.discord_url,
    websiteUrl: body.website_url,
    donationUrls: body.donation_urls,
    bannerText: body.banner_base64,
    previewTexts: body.previews_base64,
    visibility: body.visibility,
    defaultVariant: body.default_variant,
    variants: body.variants?.map(({ name, label, mods }) => ({
      name,
      label,
      mods: mods.map(({ artifact_base64: artifact, ...entry }) => ({ ...entry, artifact })),
    })),
  };
}

export function toPackBody(pack: PackCard, links: ModLinks): z.infer<typeof PackBody> {
  return {
    slug: pack.slug,
    handle: pack.handle,
    title: visibleText(pack.title),
    summary: visibleText(pack.summary),
    tags: pack.tags.map(visibleText),
    author: visibleText(pack.author),
    banner_url: pack.banner && links.image(pack.banner.sha256),
    preview_urls: pack.previews.map(({ sha256 }) => links.image(sha256)),
    download_count: pack.downloadCount,
    star_count: pack.starCount,
    variant_count: pack.variantCount,
    mod_count: pack.modCount,
    default_variant: visibleText(pack.defaultVariant),
    page_url: links.packPage(pack),
    created_at: toIso(pack.createdAt),
    updated_at: toIso(pack.updatedAt),
  };
}

export function toPackDetailBody({ pack, variants }: PackWithVariants, links: ModLinks): z.infer<typeof PackDetailBody> {
  const toMod = ({ entry, mod, file, version }: Resolved): z.infer<typeof PackModBody> => ({
    handle: entry.handle,
    slug: entry.slug,
    title: visibleText(mod?.title ?? entry.title),
    author: visibleText(mod?.author ?? entry.author),
    variant: entry.branch,
    version,
    version_locked: entry.tag !== null,
    is_beta: mod?.isBeta ?? false,
    available: file !== null,
    page_url: entry.file ? links.packPage(pack) : links.page(entry),
    author_url: links.author(mod?.author ?? entry.author),
  });
  const toVariant = ({ variant, resolved }: { variant: PackVariant; resolved: readonly Resolved[] }) => ({
    name: variant.name,
    label: visibleText(variant.label),
    mod_count: resolved.length,
    available_count: resolved.filter(({ file }) => file !== null).length,
    download_url: links.packDownload(pack, variant.name, 'tpack'),
    zip_url: links.packDownload(pack, variant.name, 'zip'),
    mods: resolved.map(toMod),
  });
  return {
    ...toPackBody(pack, links),
    description: visibleText(pack.description),
    warnings: visibleText(pack.warnings),
    discord_url: pack.discordUrl,
    website_url: pack.websiteUrl,
    donation_urls: [...pack.donationUrls],
    variants: variants.map(toVariant),
  };
}
