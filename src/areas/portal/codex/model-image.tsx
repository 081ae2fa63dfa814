import type { FC } from 'hono/jsx';

/** Side in pixels of small images: twice that of the largest place that shows one. */
const SMALL_SIDE = 96;
const sized = (url: string, size: number) => (size * 2 <= SMALL_SIDE ? url.replace(/([?&]dim=)\d+/, `$1${SMALL_SIDE}`) : url);

/** An image of a model, or a placeholder. Lists get small images. `alt` is empty for an image next to its name. */
export const ModelImage: FC<{ url: string | null | undefined; size: number; alt?: string; isEager?: boolean }> = ({
  url,
  size,
  alt = '',
  isEager = false,
}) =>
  url ? (
    <img
      class="model"
      src={sized(url, size)}
      alt={alt}
      width={size}
      height={size}
      loading={isEager ? undefined : 'lazy'}
      decoding="async"
    />
  ) : (
    <svg class="model none" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <path d="M16 5 26 10.5v11L16 27 6 21.5v-11zM6 10.5 16 16l10-5.5M16 16v11" />
    </svg>
  );
