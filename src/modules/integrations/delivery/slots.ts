/** Requests at a time for one integration: enough for 500 a second at 90 ms each. */
const limitPerIntegration = 48;

/** For an integration whose last requests timed out: it uses few sockets, and delays no other integration. */
const limitWhenHanging = 2;

const hangingAfterTimeouts = 3;

const limitOverall = 512;

/** Bounds how many requests this instance sends at a time, for each integration and overall. */
export interface Slots {
  readonly free: (integrationId: number) => number;
  readonly busy: (integrationId: number) => number;
  /** Free slots overall. */
  readonly left: () => number;
  readonly take: (integrationId: number) => void;
  readonly release: (integrationId: number, timedOut: boolean) => void;
}

export function createSlots(): Slots {
  const taken = new Map<number, number>();
  const consecutiveTimeouts = new Map<number, number>();
  let total = 0;

  const busy = (id: number) => taken.get(id) ?? 0;
  const limit = (id: number) =>
    (consecutiveTimeouts.get(id) ?? 0) >= hangingAfterTimeouts
      ? limitWhenHanging
      : limitPerIntegration;

  return {
    busy,
    left: () => Math.max(0, limitOverall - total),
    free: (id) => Math.max(0, Math.min(limit(id) - busy(id), limitOverall - total)),
    take(id) {
      taken.set(id, busy(id) + 1);
      total += 1;
    },
    release(id, timedOut) {
      taken.set(id, busy(id) - 1);
      total -= 1;
      if (timedOut) consecutiveTimeouts.set(id, (consecutiveTimeouts.get(id) ?? 0) + 1);
      else consecutiveTimeouts.delete(id);
    },
  };
}
