import { unavailable } from '../../../platform/errors.ts';

export interface TailLimits {
  readonly perAccount: number;
  readonly perInstance: number;
}

/** A person has some tabs open, and a machine has one tail for each thing that it watches. The bench opens all 500. */
export const defaultLimits: TailLimits = { perAccount: 20, perInstance: 500 };

/** Every tail ends after ten minutes, so that there will be a free one. */
const retryAfterSeconds = 30;

/**
 * Limits the number of tails. One too many gets 503 with Retry-After, as streams of SDKs do. 429 is reserved for
 * guessed passwords, and the request is valid: it can be served when another tail has ended.
 */
export function createAdmission({ perAccount, perInstance }: TailLimits) {
  const byAccount = new Map<number, number>();
  let admitted = 0;
  return {
    /** Admits a tail of an account. The returned function releases it. */
    admit(account: number): () => void {
      const followed = byAccount.get(account) ?? 0;
      if (followed >= perAccount) {
        throw unavailable(
          `Your account has reached the limit of ${perAccount} live event streams. Close one first`,
          retryAfterSeconds,
        );
      }
      if (admitted >= perInstance) {
        throw unavailable(
          `This server has reached the limit of ${perInstance} live event streams. Try again later`,
          retryAfterSeconds,
        );
      }
      admitted += 1;
      byAccount.set(account, followed + 1);
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
