/** Display names of the events, from the choices of the page. */
const choices = document.querySelectorAll('[data-events="create"] input[data-label], #event option');
export const EVENT_LABELS = Object.fromEntries([...choices].map((choice) => [choice.value, choice.dataset.label ?? choice.label]));
