import type { FC } from 'hono/jsx';
import { PREVIEW_SECTIONS } from './menu.data.ts';

/** The link preview of a page. */
export interface Preview {
  title: string;
  /** One or two sentences. */
  description: string;
  /** URL of the page; absent: that of the response. */
  url?: string;
  /** URL of a PNG of 1200 x 630 pixels. */
  image: string;
}

/** The link preview of a page without an image of its own: that of its section, or of the front page. `path`: path of the page. */
export function defaultPreview(title: string, description: string, publicUrl: string, path = ''): Preview {
  const section = PREVIEW_SECTIONS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`)) ?? 'front';
  return { title, description, image: `${publicUrl}/og/${section}.png` };
}

/** Open Graph tags of a page. */
export const PreviewTags: FC<Preview & { appName: string }> = ({ appName, title, description, url, image }) => (
  <>
    <meta property="og:site_name" content={appName} />
    <meta property="og:type" content="website" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    {url === undefined ? null : <meta property="og:url" content={url} />}
    <meta property="og:image" content={image} />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content={title} />
    <meta name="twitter:card" content="summary_large_image" />
  </>
);
