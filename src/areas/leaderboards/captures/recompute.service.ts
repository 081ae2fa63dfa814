import type { CaptureConsumer, CaptureConsumerName, RecomputeTask } from '../../../game/board-captures.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { CapturesRepository } from './captures.repository.ts';

export interface RecomputeDeps {
  captures: CapturesRepository;
  consumers: Readonly<Record<CaptureConsumerName, CaptureConsumer>>;
  /** Notifies one consumer of a capture. */
  notify(consumer: CaptureConsumer, anchor: UnixSeconds): Promise<void>;
}

/** Maximum number of captures that one step checks; it computes at most one of them. */
const STEP_CAPTURES = 50;

/** Recomputes the next capture of a task. Returns the remaining task, or null when it is done. */
export function createRecompute({ captures, consumers, notify }: RecomputeDeps): (task: RecomputeTask) => Promise<RecomputeTask | null> {
  return async (task) => {
    const consumer = consumers[task.consumer];
    const checked = await captures.listAfter({ after: task.after, until: Number.MAX_SAFE_INTEGER, limit: STEP_CAPTURES });
    for (const { anchor } of checked) {
      if (!task.isForced && (await consumer.has(anchor))) continue;
      await notify(consumer, anchor);
      return { ...task, after: anchor };
    }
    const last = checked.at(-1);
    return last && checked.length === STEP_CAPTURES ? { ...task, after: last.anchor } : null;
  };
}
