import { joinAnd } from '../../../../platform/joined.ts';
import { OutgoingError } from '../../../../platform/outgoing/outgoing.ts';
import { judgeFailure } from '../judge.ts';
import type { Verdict } from '../provider.ts';

/** Why a channel did not get the message. */
export interface Refusal {
  readonly why: string;
  /** Other channels would fail in the same way. */
  readonly everywhere?: true;
  readonly retryAfterMs?: number;
  readonly gone?: true;
  /** Aborted by Burgee, because it stops. */
  readonly interrupted?: true;
}

/** Slack did not respond. */
export const unreached = (error: unknown): Refusal => ({
  why: judgeFailure('Slack', error).details,
  everywhere: true,
  ...(error instanceof OutgoingError && error.code === 'ABORT_ERR' ? { interrupted: true } : {}),
});

/**
 * Posts to one channel after the other. If the first one fails for a reason that concerns all channels, it stops: a
 * retry then posts nothing twice.
 */
export async function postToEach(
  channels: readonly string[],
  post: (channel: string) => Promise<Refusal | undefined>,
): Promise<Verdict> {
  if (channels.length === 0) {
    return {
      state: 'failed',
      details:
        'No channel to post to. Set default channels in the integration, or tag the feature with slack:channel-name.',
    };
  }
  const reached: string[] = [];
  const refusals: (Refusal & { readonly line: string })[] = [];
  for (const channel of channels) {
    const refusal = await post(channel);
    if (refusal === undefined) {
      reached.push(channel);
      continue;
    }
    // A failure even if some channels got the message: the retry must reach all channels.
    if (refusal.interrupted) return { state: 'failed', details: refusal.why };
    const ends = refusal.everywhere === true && reached.length === 0;
    refusals.push({ ...refusal, line: ends ? refusal.why : `${channel}: ${refusal.why}` });
    if (ends) break;
  }
  const accepted = `Slack accepted the event for ${joinAnd(reached)}.`;
  if (refusals.length === 0) return { state: 'success', details: accepted };
  const lines = refusals.map(({ line }) => line);
  const retryAfterMs = Math.max(...refusals.map(({ retryAfterMs = 0 }) => retryAfterMs));
  const waits = retryAfterMs > 0 ? { retryAfterMs } : {};
  if (reached.length > 0) {
    return { state: 'successWithErrors', details: [accepted, ...lines].join('\n'), ...waits };
  }
  return {
    state: 'failed',
    details: lines.join('\n'),
    ...waits,
    ...(refusals.some(({ gone }) => gone) ? { gone: true } : {}),
  };
}
