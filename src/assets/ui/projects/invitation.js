/** The page of a mailed invitation: accepts or declines it with the token of the link. */
import { callOpen } from '../api.js';
import { announce, byId } from '../dom.js';
import { wireForm } from '../form.js';
import { readLinkToken } from '../link-token.js';

const token = readLinkToken();

for (const decision of ['accept', 'decline']) {
  wireForm(byId(decision), callOpen, {
    prepare: ({ method, path }) => ({ method, path, body: { token, decision } }),
    done({ mod }) {
      for (const form of document.querySelectorAll('form')) form.hidden = true;
      announce(decision === 'accept' ? `You are a member of ${mod}. Sign in to publish.` : 'Declined. Nothing has changed.');
    },
  });
}
