/** A replaced wording, and its replacement. */
export interface Wording {
  /** Case-insensitive; includes word boundaries. */
  pattern: RegExp;
  use: string;
}

const phrase = (text: string, use: string): Wording => ({ pattern: new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'), use });
const word = (pattern: string, use: string): Wording => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'), use });

/** Phrases that were replaced in code, comments, tests and documents. */
export const PHRASES: readonly Wording[] = [
  phrase('is not one that a page of this list gave out', 'invalid cursor'),
  phrase('names no boundary', 'Content-Type has no multipart boundary'),
  phrase('not a picture that can be read', 'unsupported image type; supported types: …'),
  phrase('is no design of yours', 'design not found for this event'),
  phrase('stands twice', 'duplicate id "x"'),
  phrase('a giveaway got entries with every draw', 'draw abandoned after 20 concurrent changes'),
  phrase('Mods that nobody sees', 'List hidden mods'),
  phrase('Forgot the password', 'Request a password reset'),
  phrase('it shall have', 'target level'),
  phrase('Designs to begin with', 'List starter templates'),
  phrase('is not at a host of the chat service', 'use a Discord webhook URL'),
  phrase('Attempt levels up to one', 'Level up to a target'),
  phrase('Videos of the first platform', 'List YouTube-style videos (videos-a)'),
  phrase('Usage of all', 'All usage'),
  phrase('Make giveaways', 'Giveaways'),
  phrase('What came of it', 'Result'),
  phrase('None is kept', 'None stored'),
  phrase('Name to show', 'Display name'),
  phrase('None is planned', 'Upcoming: none yet.'),
  phrase('looks for a turn by a timer', 'Waiters poll: a Workers request cannot await another request’s promise.'),
  phrase('take it in from a machine of your own', 'Run the initial import locally'),
  phrase('has one taken in again', 'can replay one'),
  phrase('is stored in pieces and whole', 'stores the upload identically whether it arrives chunked or at once'),
  phrase('are not held up for long by', 'fails open after …'),
  phrase('because an idle object loses its memory', 'idle objects are evicted'),
];

/** Archaic forms, personifications and unclear sentence openings. */
export const TURNS: readonly Wording[] = [
  word('shall|therein|thereof|whereby|wherein|lest', 'plain present tense'),
  word('whoever|whosoever|everybody who|nobody sees', 'client, account, user'),
  word('is told|are told|was told|were told|tells? apart', 'receives, is notified, distinguishes'),
  word('(?:is|are) no (?!longer\\b)[a-z]+', 'is not a …'),
  word('no such (?!table|column)[a-z]+', '… not found'),
  word('not [a-z]+ any ?more', 'no longer …'),
  word('anew|twofold|for ever|for good', 'again, permanently'),
  word('e-mail', 'email'),
];

/** Synonyms of a glossary word in messages, descriptions, titles and documents. */
export const PAIRS: readonly Wording[] = [
  word('answers?|answered|answering', 'response, returns'),
  word('(?<!</?)pictures?(?! source)', 'image'),
  word('callers?', 'client'),
  word('budgets?', 'rate limit'),
  word('per cent', '%, percentage'),
];

/** Identifiers that were renamed. Limits are `MAX_…`, `MIN_…`; lifetimes `…_TTL_SECONDS`, `…_TTL_MS`. */
export const IDENTIFIERS: readonly Wording[] = [
  { pattern: /\bdrawId\b/, use: 'newId' },
  { pattern: /\bisForTesting\b/, use: 'isNonProduction' },
  { pattern: /\bRider\b/, use: 'ExtraStatement' },
  { pattern: /\bkeptValue\b/, use: 'createRevalidatingCache' },
  { pattern: /\b(?:Token|Webhook|Design)Wish\b/, use: 'Create…Input' },
  { pattern: /\bcreateCaptureTeller\b/, use: 'createCaptureNotifier' },
  { pattern: /\bcreateWholeEndpoints\b/, use: 'createSearchEndpoints' },
  { pattern: /\brealTime\b/, use: 'nowSeconds, nowMs' },
  { pattern: /\b#?inTurn\b/, use: 'semaphore' },
  { pattern: /\bgiveBack\b/, use: 'refund' },
  { pattern: /\bstandIn\b/, use: 'baseUrlOverride' },
  { pattern: /\bHandover\b/, use: 'SendResult, GateState' },
  { pattern: /\b(?:removeOwner|forgetAccount)\b/, use: 'deleteAccountData' },
  { pattern: /\b(?:ofOwner|ofAccount)\b/, use: 'byAccount' },
  { pattern: /\b(?:create)?EventHub\b/, use: 'EventClient' },
  { pattern: /\b(?:create)?(?:Chat|Signed|SignedMessage)Poster\b/, use: '…Client' },
  { pattern: /\b(?:StoredPaces|PaceStorage|IDLE_PACE)\b/, use: 'StoredWindows, WindowStorage, EMPTY_WINDOW' },
  { pattern: /\b(?:Refresh|Capture|Name)Verdict\b/, use: 'RefreshStatus, CaptureLosses, NameState' },
  { pattern: /\bRouteGroup\b/, use: 'LazyRoutes' },
  { pattern: /\bremoveBefore\b/, use: 'deleteExpired' },
  { pattern: /\b(?:MOST|LONGEST|LARGEST|HIGHEST)_[A-Z_]+\b/, use: 'MAX_…' },
  { pattern: /\b(?:LEAST|SHORTEST|SMALLEST|FEWEST)_[A-Z_]+\b/, use: 'MIN_…' },
  { pattern: /\b[A-Z_]+_(?:LIFE|KEPT)_(?:SECONDS|MILLISECONDS|MS)\b/, use: '…_TTL_SECONDS, …_TTL_MS' },
];
