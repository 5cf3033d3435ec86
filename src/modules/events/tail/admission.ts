import { unavailable } from '../../../platform/errors.ts';

export interface TailLimits {
  readonly perAccount: number;
  readonly perInstance: number;
}

/** A person has some tabs open, a machine one tail for each thing that it watches. The bench holds all 500. */
export const usualLimits: TailLimits = { perAccount: 20, perInstance: 500 };

/** Every tail ends after ten minutes, so that one is free sooner or later. */
const retryAfterSeconds = 30;

/**
 * Counts who follows the log. One too many is refused with 503 and Retry-After, as it is for streams of SDKs: 429 is
 * for guessing alone, and nothing is wrong with the request, which will be served once another tail has ended.
 */
export function createAdmission({ perAccount, perInstance }: TailLimits) {
  const byAccount = new Map<number, number>();
  let admitted = 0;
  return {
    /** Takes a place for an account, and returns how to give it back. */
    admit(account: number): () => void {
      const own = byAccount.get(account) ?? 0;
      if (own >= perAccount) {
        throw unavailable(
          `You follow the log over ${perAccount} connections already, which is as many as one account may have; end one of them first`,
          retryAfterSeconds,
        );
      }
      if (admitted >= perInstance) {
        throw unavailable(
          `This server has ${perInstance} followers of the log, which is as many as it can serve; please try again`,
          retryAfterSeconds,
        );
      }
      admitted += 1;
      byAccount.set(account, own + 1);
      return () => {
        admitted -= 1;
        const left = (byAccount.get(account) ?? 1) - 1;
        if (left > 0) byAccount.set(account, left);
        else byAccount.delete(account);
      };
    },
    count: () => admitted,
  };
}
