import type { FC } from 'hono/jsx';
import type { StoredKind } from '../../platform/area.ts';
import type { PageContent } from './page.tsx';
import { type Chapter, privacyChapters } from './privacy.data.ts';
import { TERMS } from './terms.data.ts';

type LegalPage = Omit<PageContent, 'viewer'>;

export interface LegalFacts {
  appName: string;
  /** Address of the operator: of a mailbox (`mailto:`) or a page. */
  contact: string;
  hasCaptcha: boolean;
  /** Everything stored that says something of a person. */
  stored: readonly StoredKind[];
}

const Chapters: FC<{ chapters: readonly Chapter[] }> = ({ chapters }) => (
  <>
    {chapters.map(({ title, paragraphs }) => (
      <section>
        <h2>{title}</h2>
        {paragraphs.map((text) => (
          <p>{text}</p>
        ))}
      </section>
    ))}
  </>
);

const Contact: FC<{ contact: string }> = ({ contact }) => (
  <section>
    <h2>Contact</h2>
    <p>
      The operator of this service can be reached at <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
    </p>
  </section>
);

/** `/docs/privacy`: what the service stores, kind by kind. */
export function privacyPage({ appName, contact, hasCaptcha, stored }: LegalFacts): LegalPage {
  const main = (
    <div class="prose">
      <h1>Privacy</h1>
      <p class="lead">What {appName} stores about people, why, and for how long. There is nothing else.</p>
      <h2>What is stored</h2>
      <dl class="stored">
        {stored.map(({ title, what, until }) => (
          <div>
            <dt>{title}</dt>
            <dd>{what}</dd>
            <dd class="hint">Kept: {until}</dd>
          </div>
        ))}
      </dl>
      <Chapters chapters={privacyChapters(hasCaptcha)} />
      <Contact contact={contact} />
    </div>
  );
  return { title: 'Privacy', main };
}

/** `/docs/terms`. */
export function termsPage({ appName, contact }: LegalFacts): LegalPage {
  const main = (
    <div class="prose">
      <h1>Terms of use</h1>
      <p class="lead">What holds between you and {appName} when you use it, with an account or without.</p>
      <Chapters chapters={TERMS} />
      <Contact contact={contact} />
    </div>
  );
  return { title: 'Terms of use', main };
}
