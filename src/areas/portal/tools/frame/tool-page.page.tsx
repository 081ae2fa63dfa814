import type { Child, FC } from 'hono/jsx';
import type { ToolLink } from '../../../../platform/http/pages/menu.data.ts';
import type { Preview } from '../../../../platform/http/pages/preview-tags.tsx';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { toolPreview } from '../../previews/previews.service.ts';

/** An operation of the API: its id and the slug of its tag. */
interface EndpointLink {
  title: string;
  /** Slug of the tag in the reference. */
  tag: string;
  operationId: string;
}

export interface ToolPageContent {
  tool: ToolLink;
  /** Default: that of the tool. */
  preview?: Preview;
  /** Public URL of the service. */
  baseUrl: string;
  /** The script starts workers. */
  hasWorkers?: boolean;
  /** Facts for the script, by the name of their `data-` attribute. */
  facts?: Readonly<Record<`data-${string}`, string>>;
  /** What the page shows without a script: the tables of the tool. */
  tables: Child;
  /** Formulas and their sources. */
  how: Child;
  endpoints: readonly EndpointLink[];
  /** Where the tool computes; default: that everything runs in the browser. */
  place?: string;
}

const IN_BROWSER = 'Everything runs in your browser: no account, no upload, no request.';

/** The page of a tool. Its script fills the place of the tool; the tables, the formulas and the links work without it. */
export function toolPage({
  tool,
  baseUrl,
  preview = toolPreview(tool, baseUrl),
  hasWorkers = false,
  facts = {},
  tables,
  how,
  endpoints,
  place = IN_BROWSER,
}: ToolPageContent): OpenPage {
  const main = (
    <div class="tool-page">
      <h1>{tool.title}</h1>
      <p class="lead">{tool.text}</p>
      <div id="tool" class="tool" data-base-url={baseUrl} {...facts}>
        <noscript>
          <p class="card">The calculator runs in your browser and needs JavaScript. The tables below need none.</p>
        </noscript>
      </div>
      <section aria-labelledby="tables-title">
        <h2 id="tables-title">Tables</h2>
        {tables}
      </section>
      <section aria-labelledby="how-title" class="prose">
        <h2 id="how-title">How this is computed</h2>
        {how}
        <p>
          {place} The API works with the same code and tables: <Endpoints endpoints={endpoints} />.
        </p>
      </section>
    </div>
  );
  return {
    title: tool.title,
    description: tool.text,
    preview,
    script: `tools/${tool.name}.js`,
    style: 'tools.css',
    hasWorkers,
    section: '/tools',
    main,
  };
}

const Endpoints: FC<{ endpoints: readonly EndpointLink[] }> = ({ endpoints }) =>
  endpoints.map(({ title, tag, operationId }, index) => (
    <>
      {index === 0 ? '' : index === endpoints.length - 1 ? ' and ' : ', '}
      <a href={`/docs/reference/${tag}#${operationId}`}>{title}</a>
    </>
  )) as unknown as ReturnType<FC>;

/** A table that opens on request. */
export const FoldedTable: FC<{ title: string; isOpen?: boolean; children?: Child }> = ({ title, isOpen = false, children }) => (
  <details class="folded" open={isOpen}>
    <summary>{title}</summary>
    {children}
  </details>
);
