/** "My player": this device remembers one name, which the page of players and the row of followed things link to. */
import { announce, byId, h } from './dom.js';
import { keepPlayer, readPlayer } from './followed.js';

function show() {
  const place = byId('my-player');
  if (!place) return;
  const mine = readPlayer();
  const shown = place.dataset.player;
  const link = mine === null ? [] : [h('a', { href: `/players?${new URLSearchParams({ name: mine })}` }, mine)];
  const toggle = (text, name) =>
    h(
      'button',
      {
        type: 'button',
        onclick: () => {
          keepPlayer(name);
          show();
          announce(name === null ? 'Forgotten.' : `${name} is your player on this device.`);
          place.querySelector('button')?.focus();
        },
      },
      text,
    );
  if (shown === undefined) place.replaceChildren(...(mine === null ? [] : ['My player: ', ...link]));
  else if (mine === shown) place.replaceChildren('This is your player on this device. ', toggle('Forget', null));
  else place.replaceChildren(...(mine === null ? [] : ['My player: ', ...link, ' ']), toggle('Remember as my player', shown));
}

show();
