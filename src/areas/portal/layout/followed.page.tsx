import type { FC } from 'hono/jsx';
import { CURRENCY } from '../../../game/currency.data.ts';

/** Script of pages with the row of followed things, or with a button to follow one. It has the copy buttons too. */
export const FOLLOWED_SCRIPT = 'followed.js';

/**
 * The player and the items that the device follows, with place and prices. Empty and not shown unless the device follows something;
 * `theme.js` then reserves its height before the page is drawn.
 */
export const FollowedRow: FC = () => (
  <section class="followed" aria-label="Followed on this device">
    <ul id="followed" class="followed-list" data-currency={CURRENCY} />
  </section>
);

/** The place of the button to follow an item; without a script it stays empty. */
export const FollowPlace: FC<{ item: string }> = ({ item }) => <p id="follow-item" class="device-choice" data-item={item} />;
