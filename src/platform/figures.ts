import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** One value of several that have a name in common. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

type Read = number | undefined | readonly Reading[];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Adds to a number that only grows. */
type Count = (labels?: Labels, by?: number) => void;

/** What modules tell whoever watches over the installation. */
export interface Figures {
  /** Read when somebody asks. What cannot be read is left out. */
  readonly gauge: (metric: Metric, read: () => Read | Promise<Read>) => void;
  /** The same one for all who ask for it by its name. */
  readonly counter: (metric: Metric) => Count;
}

/** Whoever asks for figures is to learn that the database is away, and not to wait for it. */
const patienceMs = 2_000;

async function inTime(read: () => Read | Promise<Read>): Promise<Read> {
  const ending = new AbortController();
  const tooLate = pause(patienceMs, undefined, { ref: false, signal: ending.signal });
  try {
    return await Promise.race([read(), tooLate]);
  } catch {
    return undefined;
  } finally {
    tooLate.catch(() => undefined);
    ending.abort();
  }
}

/** Gauges and counters of one server, in a registry of their own. */
export function createFigures(): Figures & { readonly registry: Registry } {
  const registry = new Registry();
  const counters = new Map<string, Count>();
  return {
    registry,
    gauge({ name, help, labels = [] }, read) {
      const gauge: Gauge<string> = new Gauge({
        ...{ name, help, labelNames: [...labels], registers: [registry] },
        async collect() {
          const found = await inTime(read);
          gauge.reset();
          if (typeof found === 'number') gauge.set(found);
          else if (labels.length === 0) gauge.remove();
          else for (const each of found ?? []) gauge.set(each.labels, each.value);
        },
      });
    },
    counter({ name, help, labels = [] }) {
      const known = counters.get(name);
      if (known) return known;
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      const count: Count = (given = {}, by = 1) => counter.inc(given, by);
      counters.set(name, count);
      return count;
    },
  };
}

/** What was counted in a thread, on its way to the one that is asked for figures. */
export interface Counted extends Metric {
  readonly counts: readonly { readonly given: Labels; readonly by: number }[];
}

/** Counts where nobody asks, and hands over what was counted since the last time. */
export function createTally(): Pick<Figures, 'counter'> & { readonly take: () => Counted[] } {
  const counted = new Map<string, { what: Metric; counts: Map<string, number> }>();
  return {
    counter(what) {
      const own = counted.get(what.name) ?? { what, counts: new Map<string, number>() };
      counted.set(what.name, own);
      return (given = {}, by = 1) => {
        const key = JSON.stringify(given);
        own.counts.set(key, (own.counts.get(key) ?? 0) + by);
      };
    },
    take() {
      const taken: Counted[] = [];
      for (const { what, counts } of counted.values()) {
        if (counts.size === 0) continue;
        const list = [...counts].map(([key, by]) => ({ given: JSON.parse(key) as Labels, by }));
        taken.push({ ...what, counts: list });
        counts.clear();
      }
      return taken;
    },
  };
}

/** Adds what was counted elsewhere. */
export function addCounted({ counter }: Pick<Figures, 'counter'>, taken: readonly Counted[]): void {
  for (const { counts, ...what } of taken) {
    const count = counter(what);
    for (const { given, by } of counts) count(given, by);
  }
}
