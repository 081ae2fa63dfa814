/** "My player": this device remembers one name, which the page of players links to. */
import './dom.js';
import { byId, h } from './dom.js';

const KEY = 'my-player';

/** Storage may be switched off. */
function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(name) {
  try {
    if (name === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, name);
  } catch {}
}

function show() {
  const place = byId('my-player');
  if (!place) return;
  const mine = read();
  const shown = place.dataset.player;
  const link = mine === null ? [] : [h('a', { href: `/players?name=${encodeURIComponent(mine)}` }, mine)];
  const toggle = (text, name) =>
    h('button', {
      type: 'button',
      textContent: text,
      onclick: () => {
        keep(name);
        show();
      },
    });
  if (shown === undefined) place.replaceChildren(...(mine === null ? [] : ['My player: ', ...link]));
  else if (mine === shown) place.replaceChildren('This is your player on this device. ', toggle('Forget', null));
  else place.replaceChildren(...(mine === null ? [] : ['My player: ', ...link, ' ']), toggle('Remember as my player', shown));
  place.hidden = place.childNodes.length === 0;
}

show();
