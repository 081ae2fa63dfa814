import type { FC } from 'hono/jsx';
import type { StoredKind } from '../../platform/area/area.ts';
import type { PageContent } from './layout/layout.page.tsx';
import { type Chapter, privacyChapters, TERMS } from './legal.data.ts';

interface LegalFacts {
  appName: string;
  /** `mailto:` or web URL of the operator. */
  contact: string;
  hasCaptcha: boolean;
  /** Personal data that the areas store. */
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

/** `/docs/privacy`. */
export function privacyPage({ appName, contact, hasCaptcha, stored }: LegalFacts): PageContent {
  const main = (
    <div class="prose">
      <h1>Privacy</h1>
      <p class="lead">Personal data that {appName} stores, with its purpose and retention.</p>
      <h2>Stored data</h2>
      <dl class="stored">
        {stored.map(({ title, what, until }) => (
          <div>
            <dt>{title}</dt>
            <dd>{what}</dd>
            <dd class="hint">Retention: {until}</dd>
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
export function termsPage({ appName, contact }: LegalFacts): PageContent {
  const main = (
    <div class="prose">
      <h1>Terms of use</h1>
      <p class="lead">These terms apply to every use of {appName}, with or without an account.</p>
      <Chapters chapters={TERMS} />
      <Contact contact={contact} />
    </div>
  );
  return { title: 'Terms of use', main };
}
