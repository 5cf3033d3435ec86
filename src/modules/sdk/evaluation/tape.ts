import { continueMurmur3, type Hashable } from './murmur3.ts';
import { always, type Condition, never } from './operator.ts';
import type { Decision } from './outcome.ts';
import type { Share } from './own-condition.ts';
import type { Facts, Reader } from './reading.ts';
import { bucketOf, remainder } from './stickiness.ts';

/** One way to a feature. */
export interface Branch {
  readonly demands: readonly Condition[];
  /** Of those who meet them, those who are meant; undefined: all. */
  readonly share: Share | undefined;
  readonly to: Decision;
}

/** The branch with more demands, without those that everybody meets; none where nobody can meet them. */
export function narrowed(branch: Branch, more: readonly Condition[] = []): Branch[] {
  const demands = [...more, ...branch.demands];
  if (demands.includes(never)) return [];
  return [{ ...branch, demands: demands.filter((demand) => demand !== always) }];
}

/** The number of an outcome, or where on the tape the way to it begins. */
export type Path = number | { readonly at: number };

/**
 * The ways to all features, as numbers one after the other, read from the beginning to the end. As closures
 * within closures, spread over the memory, a thousand features took 0.2 ms, and so they take 0.08.
 */
export interface Tape {
  /**
   * Ways that are narrowed already. Those behind one that all go are left out. The outcomes of the feature have
   * the numbers from `first` on.
   */
  readonly record: (branches: readonly Branch[], otherwise: number, first: number) => Path;
  readonly play: (at: number, facts: Facts) => number;
}

/** Gives each thing a number, and the same thing the same one. */
function createIndex<T>() {
  const numbers = new Map<T, number>();
  const items: T[] = [];
  const numberOf = (item: T): number => {
    const known = numbers.get(item);
    if (known !== undefined) return known;
    numbers.set(item, items.length);
    return items.push(item) - 1;
  };
  return { items, numberOf };
}

/** What stands where a step would begin, before the outcome for whoever found no way. */
const noStep = -1;
/** What stands for a share where there is none. */
const wholeShare = -1;

export function createTape(): Tape {
  const tape: number[] = [];
  const conditions = createIndex<Condition>();
  const ids = createIndex<Reader<Hashable>>();
  const shares: Share[] = [];
  const choices: Exclude<Decision, number>[] = [];
  /** What to add to the number that a choice gives. */
  const firsts: number[] = [];
  /** For each condition, the evaluation it was last asked in, twice, and one more if it held. */
  const results: number[] = [];

  /** A step: where the next begins, its demands and how many, its share, where it leads. */
  function recordStep({ demands, share, to }: Branch, first: number): void {
    const begin = tape.length;
    tape.push(noStep, demands.length);
    for (const demand of demands) {
      const number = conditions.numberOf(demand);
      results[number] ??= -1;
      tape.push(number);
    }
    if (share === undefined) {
      tape.push(wholeShare);
    } else {
      const { begun, id, buckets } = share.sorter;
      tape.push(shares.push(share) - 1, ids.numberOf(id), Math.floor(share.last), buckets);
      tape.push(begun.hash, begun.rest, begun.restBits, begun.length);
    }
    if (typeof to === 'number') {
      tape.push(first + to);
    } else {
      firsts.push(first);
      tape.push(-choices.push(to));
    }
    tape[begin] = tape.length;
  }

  function record(branches: readonly Branch[], otherwise: number, first: number): Path {
    const at = tape.length;
    for (const branch of branches) {
      const { demands, share, to } = branch;
      if (demands.length === 0 && !share && typeof to === 'number') return end(at, first + to);
      recordStep(branch, first);
    }
    return end(at, first + otherwise);
  }

  function end(at: number, otherwise: number): Path {
    if (at === tape.length) return otherwise;
    tape.push(noStep, otherwise);
    return { at };
  }

  function isMet(number: number, facts: Facts): boolean {
    const asked = 2 * facts.turn;
    const result = results[number] as number;
    if (result >= asked) return result > asked;
    const holds = (conditions.items[number] as Condition)(facts);
    results[number] = holds ? asked + 1 : asked;
    return holds;
  }

  const read = (at: number) => tape[at] as number;

  function isInShare(at: number, facts: Facts): boolean {
    const bytes = (ids.items[read(at + 1)] as Reader<Hashable>)(facts);
    const bucket =
      bytes === undefined
        ? bucketOf((shares[read(at)] as Share).sorter, facts)
        : 1 +
          remainder(
            continueMurmur3(read(at + 4), read(at + 5), read(at + 6), read(at + 7), bytes),
            read(at + 3),
          );
    return bucket > 0 && bucket <= read(at + 2);
  }

  function play(begin: number, facts: Facts): number {
    let step = begin;
    steps: for (let next = read(step); next !== noStep; step = next, next = read(step)) {
      const share = step + 2 + read(step + 1);
      for (let at = step + 2; at < share; at += 1) if (!isMet(read(at), facts)) continue steps;
      if (read(share) !== wholeShare && !isInShare(share, facts)) continue;
      const to = read(next - 1);
      if (to >= 0) return to;
      const choose = choices[-1 - to] as Exclude<Decision, number>;
      return (firsts[-1 - to] as number) + choose(facts);
    }
    return read(step + 1);
  }

  return { record, play };
}
