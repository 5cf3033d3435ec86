/** Up to a fifth longer, so that a thousand edges do not ask together. */
export const jittered = (ms: number): number => ms * (1 + Math.random() / 5);

/** A deployment of the upstream may refuse an endpoint, too. One that it does not have is asked for ever more rarely. */
const firstAgainMs = 5_000;
const longestAgainMs = 10 * 60_000;

/** Whether to ask an upstream for an endpoint that it may not have. */
export function createOffer(isWanted: boolean) {
  let fromMs = isWanted ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  let refusals = 0;
  return {
    /** How long to wait before it is asked. */
    waitMs: (): number => Math.max(0, fromMs - performance.now()),
    /** It was refused. It may be offered later: the upstream may be upgraded. */
    refuse(): void {
      fromMs = performance.now() + jittered(Math.min(longestAgainMs, firstAgainMs * 2 ** refusals));
      refusals = Math.min(10, refusals + 1);
    },
    /** It works. */
    take(): void {
      refusals = 0;
    },
    /** It failed for another reason. */
    pause(ms: number): void {
      fromMs = performance.now() + ms;
    },
  };
}
