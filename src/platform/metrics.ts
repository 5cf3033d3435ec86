import { Counter, Gauge, Registry } from 'prom-client';
import { type Deadline, startDeadline } from './deadline.ts';

type Labels = Readonly<Record<string, string>>;

/** One of several values of a metric, with its labels. */
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

/** Increments a counter. */
type Count = (labels?: Labels, by?: number) => void;

/** The metrics of modules, for monitoring. */
export interface Metrics {
  /** Registers a gauge, which is read on each scrape. If reading fails, it is left out or has the value `otherwise`. */
  readonly gauge: (
    metric: Metric & { readonly otherwise?: number },
    read: () => Read | Promise<Read>,
  ) => void;
  /** Returns the counter of this name; the same one for every caller. */
  readonly counter: (metric: Metric) => Count;
}

/** How long a scrape waits for a gauge. During an outage of the database, a scrape must still answer. */
const patienceMs = 2_000;

async function inTime(read: () => Read | Promise<Read>): Promise<Read> {
  let deadline: Deadline | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    deadline = startDeadline(patienceMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([read(), tooLate]);
  } catch {
    return undefined;
  } finally {
    deadline?.clear();
  }
}

/** Creates the gauges and counters of one server, in their own registry. */
export function createMetrics(): Metrics & { readonly registry: Registry } {
  const registry = new Registry();
  const counters = new Map<string, Count>();
  return {
    registry,
    gauge({ name, help, labels = [], otherwise }, read) {
      const gauge: Gauge<string> = new Gauge({
        ...{ name, help, labelNames: [...labels], registers: [registry] },
        async collect() {
          const found = (await inTime(read)) ?? otherwise;
          gauge.reset();
          if (typeof found === 'number') gauge.set(found);
          else if (labels.length === 0) gauge.remove();
          else for (const each of found ?? []) gauge.set(each.labels, each.value);
        },
      });
    },
    counter({ name, help, labels = [] }) {
      const existing = counters.get(name);
      if (existing) return existing;
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      const count: Count = (given = {}, by = 1) => counter.inc(given, by);
      counters.set(name, count);
      return count;
    },
  };
}

/** Counts of a background thread, to be sent to the main thread. */
export interface Counted extends Metric {
  readonly counts: readonly { readonly given: Labels; readonly by: number }[];
}

/** Counts in a background thread. `take` returns the counts since the last call. */
export function createTally(): Pick<Metrics, 'counter'> & { readonly take: () => Counted[] } {
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

/** Adds the counts of another thread. */
export function addCounted({ counter }: Pick<Metrics, 'counter'>, taken: readonly Counted[]): void {
  for (const { counts, ...what } of taken) {
    const count = counter(what);
    for (const { given, by } of counts) count(given, by);
  }
}
