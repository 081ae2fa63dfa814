/** Fills the countdowns of a page and keeps them current. */
import './dom.js';

const SECOND_MS = 1000;
const DAY = 86_400;

/** `3 d 04 h`, `4 h 05 min` or `5 min 09 s`. */
export function leftText(seconds) {
  const two = (value) => String(value).padStart(2, '0');
  const [days, hours, minutes] = [Math.floor(seconds / DAY), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days} d ${two(hours)} h`;
  return hours > 0 ? `${hours} h ${two(minutes)} min` : `${minutes} min ${two(seconds % 60)} s`;
}

function tick() {
  const now = Math.floor(Date.now() / SECOND_MS);
  for (const place of document.querySelectorAll('[data-until]')) {
    const left = Number(place.dataset.until) - now;
    const text = left > 0 ? `in ${leftText(left)}` : 'now';
    if (place.textContent !== text) place.textContent = text;
  }
}

tick();
setInterval(tick, SECOND_MS);
