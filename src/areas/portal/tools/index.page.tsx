import { TOOLS, type ToolLink } from '../../../platform/http/pages/menu.data.ts';
import type { OpenPage } from '../layout/layout.page.tsx';
import { toolsPreview } from '../previews/previews.service.ts';

/** `/tools`: the list of tools. */
export function toolsPage(baseUrl: string): OpenPage {
  const main = (
    <>
      <h1>Tools for players</h1>
      <p class="lead">They run in your browser: no account, no upload, free. Every result has a link that you can send.</p>
      <ul class="tool-list">
        {TOOLS.map(({ name, title, text }: ToolLink) => (
          <li class="card">
            <h2>
              <a href={`/tools/${name}`}>{title}</a>
            </h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <p>
        The same calculations are endpoints of the API: <a href="/docs/reference/gems">gems</a>, <a href="/docs/reference/stats">stats</a>{' '}
        and <a href="/docs/reference/misc">time</a>.
      </p>
    </>
  );
  const preview = toolsPreview(baseUrl);
  return { title: preview.title, description: preview.description, preview, style: 'tools.css', section: '/tools', main };
}
