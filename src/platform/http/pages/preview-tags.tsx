import type { FC } from 'hono/jsx';

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

/** The link preview of a page without an image of its own. */
export const defaultPreview = (title: string, description: string, publicUrl: string): Preview => ({
  title,
  description,
  image: `${publicUrl}/og/front.png`,
});

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
