/** At a time to one receiver: enough for 500 a second at 90 ms each. */
const usual = 48;

/** To one that let the last ones wait in vain: it holds few sockets, and no other waits for it. */
const hanging = 2;

const hangsAfter = 3;

/** Over all receivers. */
const overall = 512;

/** How much this instance sends at a time: bounded for each integration, and over all of them. */
export interface Slots {
  readonly free: (integrationId: number) => number;
  readonly busy: (integrationId: number) => number;
  /** Over all of them. */
  readonly left: () => number;
  readonly take: (integrationId: number) => void;
  readonly give: (integrationId: number, timedOut: boolean) => void;
}

export function createSlots(): Slots {
  const taken = new Map<number, number>();
  const inVain = new Map<number, number>();
  let total = 0;

  const busy = (id: number) => taken.get(id) ?? 0;
  const limit = (id: number) => ((inVain.get(id) ?? 0) >= hangsAfter ? hanging : usual);

  return {
    busy,
    left: () => Math.max(0, overall - total),
    free: (id) => Math.max(0, Math.min(limit(id) - busy(id), overall - total)),
    take(id) {
      taken.set(id, busy(id) + 1);
      total += 1;
    },
    give(id, timedOut) {
      taken.set(id, busy(id) - 1);
      total -= 1;
      if (timedOut) inVain.set(id, (inVain.get(id) ?? 0) + 1);
      else inVain.delete(id);
    },
  };
}
