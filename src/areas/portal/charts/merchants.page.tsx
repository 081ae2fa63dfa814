import { COPY_SCRIPT, Embed } from '../embeds.page.tsx';
import type { OpenPage } from '../layout.page.tsx';

const MERCHANTS = [
  ['corruxion', 'Corruxion'],
  ['fluxion', 'Fluxion'],
] as const;

/** Rows of the card of a merchant. */
const CARD_ROWS = 4;

/** `/merchants`: the card of each merchant shows the next visits. */
export function merchantsPage(baseUrl: string): OpenPage {
  const main = (
    <div class="figures">
      <h1>Merchants</h1>
      <p class="lead">When the merchants are here, and when they return.</p>
      {MERCHANTS.map(([name, title]) => (
        <Embed
          id={name}
          rows={CARD_ROWS}
          title={title}
          alt={`Next visits of ${title}`}
          badge={`/v1/rotations/badge/${name}.svg`}
          card={`/v1/rotations/card/${name}.svg`}
          page="/merchants"
          baseUrl={baseUrl}
        />
      ))}
      <p class="links">
        <a href="/v1/rotations/calendar.ics">All visits as a calendar (.ics)</a>
        <a href="/docs/reference/rotations">API reference</a>
      </p>
    </div>
  );
  return { title: 'Merchants', description: 'Next visits of the merchants, as cards to embed.', script: COPY_SCRIPT, main };
}
