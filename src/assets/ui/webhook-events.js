/** Display names of the events, from the choices of the page. Some events are chosen by a condition. */
const choices = document.querySelectorAll('[data-events="create"] input[data-label], #event option, #create-kind option[data-trigger]');
export const EVENT_LABELS = Object.fromEntries(
  [...choices].map((choice) => [choice.dataset.event ?? choice.value, choice.dataset.label ?? choice.label]),
);
