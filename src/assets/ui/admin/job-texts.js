/** Texts on the health of jobs, which the service judges: the same on every page. */

/** Text and badge of each health; `off` shows the state. */
export const HEALTHS = {
  ok: ['ok', 'good'],
  failing: ['failing', 'bad'],
  late: ['late', 'bad'],
  waiting: ['not run yet', ''],
};

export const isBad = ({ health }) => HEALTHS[health]?.[1] === 'bad';

/** One sentence on all jobs. */
export function jobsSentence(items) {
  const [failing, late] = ['failing', 'late'].map((health) => items.filter((job) => job.health === health).length);
  if (failing + late === 0) return 'No failing jobs.';
  const parts = [failing > 0 ? `${failing} of ${items.length} jobs failed in their last run` : '', late > 0 ? `${late} late` : ''];
  return `${parts.filter(Boolean).join(', ')}.`;
}
