/** Small texts that this device keeps. The browser may block its storage: then nothing is known and nothing is kept. */

/** Null without one. */
export function readStored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** `value`: null to forget it. False when the browser blocks the storage. */
export function keepStored(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
