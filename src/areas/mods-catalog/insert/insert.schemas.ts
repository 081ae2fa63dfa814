import { z } from '@hono/zod-openapi';
import { type Base64Text, LongText } from '../../../platform/http/bodies/big-json.ts';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import { ModBody, ModReleaseBody, toModBody, toReleaseBody } from '../catalog/catalog.schemas.ts';
import {
  DEFAULT_BRANCH,
  FORMATS,
  HANDLE_PATTERN,
  LANGUAGES,
  MAX_IMAGE_BYTES,
  MAX_TRANSLATED_LENGTH,
  MOD_LIMITS,
  RELEASE_LIMITS,
  SLUG_PATTERN,
  VISIBILITIES,
} from '../records/catalog.data.ts';
import { type ModLinks, presentTranslations } from '../records/mod.domain.ts';
import type { Inserted, InsertInput } from './insert.service.ts';

/** A PNG of 1 x 1 pixel. */
const EXAMPLE_IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Artifact of the example: a `.tmod` file with two small files. */
export const EXAMPLE_ARTIFACT =
  'bgAAAAAAAAABAAUABXRpdGxlBFRpbnkGYXV0aG9yAk1lBHRhZ3MFV2luZ3MJbW9kTG9hZGVyClNlcnZpY2VBUEkFZmxhZ3MEODE5Mgt1aS90aW55LnN3ZgAABevf8KwJBWEudHh0AAAAxbvyiAh4AQAIAPf/YWJjZGUAAAAAAAD//w==';

export const line = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .openapi({ description: `${description} Up to ${max} characters.`, example });
export const prose = (max: number, description: string, example: string) => severalLines(line(max, description, example));
export const requiredLine = (max: number, description: string, example: string) =>
  line(max, description, example).refine((value) => value.trim() !== '', 'must not be blank');

/** Translations by language: each with the limit of the text, and with a limit for the total length. */
const translations = (value: z.ZodType<string>) =>
  z
    .strictObject(
      Object.fromEntries(LANGUAGES.map((language) => [language, value.optional()])) as Record<
        (typeof LANGUAGES)[number],
        z.ZodOptional<typeof value>
      >,
    )
    .refine(
      (texts) => Object.values(texts).reduce((sum, text) => sum + (text?.length ?? 0), 0) <= MAX_TRANSLATED_LENGTH,
      `must have at most ${MAX_TRANSLATED_LENGTH} characters in total`,
    )
    .transform(presentTranslations);
const translated = (of: string, value: z.ZodType<string>) =>
  translations(value).openapi({
    type: 'object',
    description: `Translations of ${of} by language code (${LANGUAGES.join(', ')}), up to ${MAX_TRANSLATED_LENGTH} characters in total; empty ones are dropped.`,
    example: {},
  });

export const address = (description: string, example: string) =>
  z
    .url({ protocol: /^https?$/, message: 'must be an http or https URL' })
    .max(MOD_LIMITS.url)
    .openapi({ description, example });

const isBase64Text = (value: unknown): value is Base64Text => typeof value === 'string' || value instanceof LongText;
export const base64 = (description: string, example: string) =>
  z.custom<Base64Text>(isBase64Text, 'must be base64').openapi({ type: 'string', format: 'byte', description, example });

const reference = (description: string) =>
  z
    .string()
    .max(200)
    .nullable()
    .optional()
    .openapi({ description: `${description} \`handle/slug\`; null removes it.`, example: null });

const IMAGE_LIMITS = `PNG, JPEG, WebP or GIF, up to ${MAX_IMAGE_BYTES} bytes.`;

/** Fields that a mod and a pack have in common. */
export const linksAndImages = {
  donation_urls: z
    .array(address('A URL.', 'https://give.example/ana'))
    .max(MOD_LIMITS.donationUrls)
    .optional()
    .openapi({ description: `At most ${MOD_LIMITS.donationUrls} URLs.`, example: [] }),
  banner_base64: base64(`Banner; null removes it. ${IMAGE_LIMITS}`, '')
    .nullable()
    .optional()
    .openapi({ type: ['string', 'null'], example: EXAMPLE_IMAGE }),
  previews_base64: z
    .array(base64(`A preview image. ${IMAGE_LIMITS}`, ''))
    .max(MOD_LIMITS.previews)
    .optional()
    .openapi({ description: `At most ${MOD_LIMITS.previews}; replaces the stored previews.`, example: [] }),
};

const ReleaseInput = z
  .object({
    tag: requiredLine(RELEASE_LIMITS.tag, 'Version; unique per branch.', '1.0.0'),
    branch: requiredLine(RELEASE_LIMITS.branch, 'Variant of the mod.', DEFAULT_BRANCH).default(DEFAULT_BRANCH),
    title: line(RELEASE_LIMITS.title, 'Title.', 'First release').default(''),
    changelog: prose(RELEASE_LIMITS.changelog, 'Changelog of the release.', 'Everything.').default(''),
    title_i18n: translated('the title', line(RELEASE_LIMITS.title, 'Title.', 'Première version')).default({}),
    changelog_i18n: translated('the changelog', prose(RELEASE_LIMITS.changelog, 'Changelog of the release.', 'Tout.')).default({}),
    format: enumOf(FORMATS).default('tmod').openapi({ description: 'Kind of file.', example: 'tmod' }),
    artifact_base64: base64('File as base64. A `tmod` must be valid, a `zip` must have a zip header.', EXAMPLE_ARTIFACT),
    published: z
      .boolean()
      .default(true)
      .openapi({ description: '`false` stores a draft, which a repeated insert replaces.', example: true }),
    silent: z.boolean().default(false).openapi({ description: '`true` publishes without an event.', example: false }),
  })
  .openapi('ModReleaseInput', { description: 'The release to add.' });

export const ModInsert = z
  .object({
    handle: z.string().regex(HANDLE_PATTERN).openapi({ description: 'Handle of the owner.', example: 'ana' }),
    slug: z
      .string()
      .regex(SLUG_PATTERN)
      .optional()
      .openapi({ description: 'Slug of the mod; defaults to one derived from the title.', example: 'tiny-wings' }),
    title: requiredLine(MOD_LIMITS.title, 'Title.', 'Tiny Wings'),
    summary: line(MOD_LIMITS.summary, 'Summary in one sentence.', 'Wings, but smaller.').optional(),
    description: prose(MOD_LIMITS.description, 'Markdown.', 'Makes **every** pair of wings smaller.').optional(),
    readme_text: prose(MOD_LIMITS.readme, 'Long-form readme, Markdown.', '').optional(),
    warnings: prose(MOD_LIMITS.warnings, 'Plain text with `<br>` between blocks.', '').optional(),
    title_i18n: translated('the title', line(MOD_LIMITS.title, 'Title.', 'Petites ailes')).optional(),
    summary_i18n: translated('the summary', line(MOD_LIMITS.summary, 'Summary in one sentence.', 'Des ailes plus petites.')).optional(),
    description_i18n: translated('the description', prose(MOD_LIMITS.description, 'Markdown.', 'Des ailes plus petites.')).optional(),
    readme_i18n: translated('the readme', prose(MOD_LIMITS.readme, 'Markdown.', '')).optional(),
    warnings_i18n: translated('the warnings', prose(MOD_LIMITS.warnings, 'Plain text.', '')).optional(),
    tags: z
      .array(requiredLine(MOD_LIMITS.tag, 'A tag.', 'Wings'))
      .max(MOD_LIMITS.tags)
      .optional()
      .openapi({ description: `At most ${MOD_LIMITS.tags} tags; those that are categories set the categories.`, example: ['Wings'] }),
    author: line(MOD_LIMITS.author, 'Credited creators, comma-separated; defaults to the author of the file.', 'Ana').optional(),
    is_beta: z.boolean().optional().openapi({ description: 'Labels the mod as beta. Defaults to `false` for a new mod.', example: false }),
    uploaded_on_behalf: z.boolean().optional().openapi({
      description:
        'Whether the uploader is not the creator; such mods have no links, fork or inspiration. Defaults to `false` for a new mod.',
      example: false,
    }),
    discord_url: address('URL of the chat of the mod; null removes it.', 'https://chat.example/invite').nullable().optional(),
    website_url: address('URL of the website of the mod; null removes it.', 'https://ana.example').nullable().optional(),
    ...linksAndImages,
    forked_from: reference('Mod that this one is a fork of.'),
    inspired_by: reference('Mod that inspired this one.'),
    visibility: enumOf(VISIBILITIES)
      .optional()
      .openapi({ description: 'Visibility; defaults to public for a new mod.', example: 'public' }),
    release: ReleaseInput,
  })
  .openapi('ModInsert', { description: 'A mod and a release. Omitted fields of an existing mod are unchanged.' });

type DetailsBody = Omit<
  z.output<typeof ModInsert>,
  'handle' | 'slug' | 'title' | 'banner_base64' | 'previews_base64' | 'forked_from' | 'inspired_by' | 'release'
>;

/** The details of a body, except its title, files and references. */
export function toGivenDetails(body: DetailsBody): Omit<InsertInput['given'], 'title'> {
  return {
    summary: body.summary,
    description: body.description,
    readmeText: body.readme_text,
    warnings: body.warnings,
    titleI18n: body.title_i18n,
    summaryI18n: body.summary_i18n,
    descriptionI18n: body.description_i18n,
    readmeI18n: body.readme_i18n,
    warningsI18n: body.warnings_i18n,
    tags: body.tags,
    author: body.author?.trim() || undefined,
    isBeta: body.is_beta,
    uploadedOnBehalf: body.uploaded_on_behalf,
    discordUrl: body.discord_url,
    websiteUrl: body.website_url,
    donationUrls: body.donation_urls,
    visibility: body.visibility,
  };
}

/** Converts the body to the input of the service. */
export function toInsertInput(body: z.output<typeof ModInsert>): InsertInput {
  const { tag, branch, title, changelog, title_i18n: titleI18n, changelog_i18n: changelogI18n, format, published, silent } = body.release;
  return {
    handle: body.handle,
    slug: body.slug,
    given: { title: body.title.trim(), ...toGivenDetails(body) },
    banner: body.banner_base64,
    previews: body.previews_base64,
    forkedFrom: body.forked_from,
    inspiredBy: body.inspired_by,
    release: {
      tag: tag.trim(),
      branch: branch.trim(),
      title,
      changelog,
      titleI18n,
      changelogI18n,
      format,
      isPublished: published,
      isSilent: silent,
    },
    artifact: body.release.artifact_base64,
  };
}

export function toInsertedBody({ mod, release }: Inserted, links: ModLinks): z.infer<typeof ModInserted> {
  const releaseBody = toReleaseBody(mod, release, links);
  const publishedAt = release.publishedAt === null ? null : releaseBody.published_at;
  return { ok: true, mod: toModBody(mod, links), release: { ...releaseBody, published_at: publishedAt } };
}

export const ModInserted = z
  .object({
    ok: z.literal(true).openapi({ description: 'Stored.', example: true }),
    mod: ModBody,
    release: z
      .object({
        ...ModReleaseBody.shape,
        published_at: z
          .string()
          .nullable()
          .openapi({ description: 'Time when the release was published; null for a draft.', example: null }),
      })
      .openapi('ModInsertedRelease', { description: 'The stored release.' }),
  })
  .openapi('ModInserted', { description: 'Result of the insert.' });
