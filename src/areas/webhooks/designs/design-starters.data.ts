import type { WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';

/** A starter design. */
export interface Starter {
  event: WebhookEvent;
  name: string;
  svg: string;
}

/** Centres of the blocks, from back to front. */
const BLOCKS = [
  ...[
    [906, 66],
    [868, 132],
    [944, 132],
    [906, 198],
    [982, 198],
  ],
  ...[
    [830, 198],
    [868, 264],
    [944, 264],
    [792, 264],
    [1020, 264],
  ],
] as const;

/** A block by its three faces. */
function block([x, y]: readonly [number, number]): string {
  return `    <g transform="translate(${x} ${y})">
      <path d="M0 -44L38 -22L0 0L-38 -22Z" fill-opacity="0.9"/>
      <path d="M-38 -22L0 0V44L-38 22Z" fill-opacity="0.5"/>
      <path d="M38 -22L0 0V44L38 22Z" fill-opacity="0.26"/>
    </g>`;
}

/** Common parts of the designs: a dark ground, blocks on the right and a line on the left in one colour. */
function ground(accent: string, glow: string): string {
  return `  <defs>
    <linearGradient id="night" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#0a101c"/>
      <stop offset="1" stop-color="#16223a"/>
    </linearGradient>
    <radialGradient id="glow" cx="0.86" cy="0.42" r="0.62">
      <stop offset="0" stop-color="${glow}" stop-opacity="0.42"/>
      <stop offset="1" stop-color="${glow}" stop-opacity="0"/>
    </radialGradient>
  </defs>
  <rect width="1000" height="320" fill="url(#night)"/>
  <rect width="1000" height="320" fill="url(#glow)"/>
  <g fill="${accent}">
${BLOCKS.map(block).join('\n')}
  </g>
  <rect width="8" height="320" fill="${accent}"/>`;
}

const drawing = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="320" font-family="Exo 2">\n${content}\n</svg>\n`;

const GAME_UPDATE = drawing(`${ground('#5ec6ff', '#2f7fd6')}
  <text x="56" y="74" font-size="26" font-weight="700" letter-spacing="5" fill="#5ec6ff">GAME UPDATE</text>
  <text x="54" y="146" font-size="52" font-weight="700" fill="#f4f8ff" data-max="26">{version_tag}</text>
  <text x="56" y="188" font-size="26" fill="#9db0cc" data-max="40">{branch} · version {ordinal}</text>
  <g font-size="40" font-weight="700">
    <circle cx="66" cy="252" r="9" fill="#46d39a"/>
    <text x="90" y="266" fill="#f4f8ff">{files_added}</text>
    <circle cx="306" cy="252" r="9" fill="#f2c14e"/>
    <text x="330" y="266" fill="#f4f8ff">{files_modified}</text>
    <circle cx="546" cy="252" r="9" fill="#ff7a90"/>
    <text x="570" y="266" fill="#f4f8ff">{files_removed}</text>
  </g>
  <g font-size="22" fill="#9db0cc">
    <text x="90" y="296">files added</text>
    <text x="330" y="296">modified</text>
    <text x="570" y="296">removed</text>
  </g>`);

const CHALLENGE = drawing(`${ground('#f2a33c', '#c4641f')}
  <text x="56" y="74" font-size="26" font-weight="700" letter-spacing="5" fill="#f2a33c">CHALLENGE</text>
  <text x="54" y="158" font-size="60" font-weight="700" fill="#fff8ee" data-max="22">{name}</text>
  <text x="56" y="206" font-size="30" fill="#d8c3a5" data-max="36">{type_label}</text>
  <g font-size="32">
    <text x="56" y="276" fill="#d8c3a5">Until <tspan font-weight="700" fill="#fff8ee">{ends_at:t}</tspan></text>
    <text x="356" y="276" fill="#d8c3a5">{ends_at:D}</text>
  </g>`);

const MOD_RELEASE = drawing(`${ground('#46d39a', '#1f8a68')}
  <text x="56" y="74" font-size="26" font-weight="700" letter-spacing="5" fill="#46d39a">NEW MOD RELEASE</text>
  <text x="54" y="148" font-size="56" font-weight="700" fill="#f1fff9" data-max="24">{project_title}</text>
  <text x="56" y="198" font-size="30" fill="#b5d3c7" data-max="40">{release_title}</text>
  <g font-size="28">
    <text x="56" y="272" font-weight="700" fill="#46d39a" data-max="20">{tag}</text>
    <text x="250" y="272" fill="#b5d3c7">{format_upper}</text>
    <text x="390" y="272" fill="#b5d3c7">by <tspan font-weight="700" fill="#f1fff9" data-max="20">{owner}</tspan></text>
  </g>`);

const LUXION = drawing(`${ground('#b48cf2', '#7a4fc9')}
  <text x="56" y="74" font-size="26" font-weight="700" letter-spacing="5" fill="#b48cf2">LUXION</text>
  <text x="54" y="158" font-size="60" font-weight="700" fill="#faf6ff" data-max="22">{state}</text>
  <text x="56" y="206" font-size="30" fill="#c8b8e6" data-max="36">{status}</text>
  <g font-size="32">
    <text x="56" y="276" fill="#c8b8e6">Open <tspan font-weight="700" fill="#faf6ff">{opens_at:t}</tspan></text>
    <text x="306" y="276" fill="#c8b8e6">until <tspan font-weight="700" fill="#faf6ff">{closes_at:t}</tspan></text>
    <text x="556" y="276" fill="#c8b8e6">{opens_at:D}</text>
  </g>`);

/** Starter designs that are drawn for their event. */
export const STARTERS: readonly Starter[] = [
  { event: 'challenge', name: 'Orange blocks', svg: CHALLENGE },
  { event: 'mod_release', name: 'Green blocks', svg: MOD_RELEASE },
  { event: 'game_update', name: 'Blue blocks', svg: GAME_UPDATE },
  { event: 'luxion', name: 'Purple blocks', svg: LUXION },
];

/** Default images of events without a design or image URL. */
export const BANNERS: Readonly<Partial<Record<WebhookEvent, string>>> = { game_update: GAME_UPDATE };

/** One starter design per event: the drawn one, or the title and the first field of the default message. */
export function startersOf({ chat, declarationOf }: Pick<WebhookEvents, 'chat' | 'declarationOf'>): Starter[] {
  return chat.map((event) => STARTERS.find((starter) => starter.event === event) ?? plainStarter(event, declarationOf(event)));
}

function plainStarter(event: WebhookEvent, { label, chat: { text } }: ReturnType<WebhookEvents['declarationOf']>): Starter {
  const [[name, value] = ['', '']] = text.fields ?? [];
  const svg = drawing(`${ground(text.color, text.color)}
  <text x="56" y="74" font-size="26" font-weight="700" letter-spacing="5" fill="${text.color}">${label.toUpperCase()}</text>
  <text x="54" y="158" font-size="52" font-weight="700" fill="#f4f8ff" data-max="26">${text.title}</text>
  <text x="56" y="276" font-size="30" fill="#9db0cc" data-max="40">${name} ${value}</text>`);
  return { event, name: `${label} blocks`, svg };
}
