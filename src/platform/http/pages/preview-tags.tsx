import type { FC } from 'hono/jsx';

/** The link preview of a page. */
export interface Preview {
  title: string;
  /** One or two sentences. */
  description: string;
  /** Address of the page. */
  url: string;
  /** Address of a PNG of 1200 x 630 pixels. */
  image: string;
}

/** The tags of a page's head that say how to show a link to it. */
export const PreviewTags: FC<Preview & { appName: string }> = ({ appName, title, description, url, image }) => (
  <>
    <meta property="og:site_name" content={appName} />
    <meta property="og:type" content="website" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:url" content={url} />
    <meta property="og:image" content={image} />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content={title} />
    <meta name="twitter:card" content="summary_large_image" />
  </>
);
