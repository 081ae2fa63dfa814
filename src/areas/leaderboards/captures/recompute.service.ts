import type { CaptureConsumer, CaptureConsumerName, RecomputeTask } from '../../../game/board-captures.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { CapturesRepository } from './captures.repository.ts';

export interface RecomputeDeps {
  captures: CapturesRepository;
  consumers: Readonly<Record<CaptureConsumerName, CaptureConsumer>>;
  /** Notifies one consumer of a capture. */
  tell(consumer: CaptureConsumer, anchor: UnixSeconds): Promise<void>;
}

/** Captures looked at in one step; at most one of them is computed. */
const STEP_CAPTURES = 50;

/** Computes the next capture of a task again; the task that is left, null when it is done. */
export function createRecompute({ captures, consumers, tell }: RecomputeDeps): (task: RecomputeTask) => Promise<RecomputeTask | null> {
  return async (task) => {
    const consumer = consumers[task.consumer];
    const listed = await captures.following({ after: task.after, until: Number.MAX_SAFE_INTEGER, limit: STEP_CAPTURES });
    for (const { anchor } of listed) {
      if (!task.isForced && (await consumer.has(anchor))) continue;
      await tell(consumer, anchor);
      return { ...task, after: anchor };
    }
    const last = listed.at(-1);
    return last && listed.length === STEP_CAPTURES ? { ...task, after: last.anchor } : null;
  };
}
