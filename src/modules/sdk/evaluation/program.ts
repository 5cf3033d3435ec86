/**
 * The program that evaluates features.
 *
 * `compile.ts` turns the features of a scope into one array of numbers, the code. Evaluating a feature means running
 * the code from the feature's entry point. As nested closures, scattered over the memory, a thousand features took
 * 0.2 ms; as adjacent numbers they take 0.08 ms. Browsers ask for all features at once, so this is most of the work of
 * the frontend API.
 *
 * The code of a feature has one instruction for each branch, in the order of its strategies, and an end:
 *
 *     next, n, condition × n, rollout, outcome    a branch: a context that meets all conditions and is in the rollout
 *                                                 gets the outcome; any other continues at `next`
 *     END, outcome                                a context that matched no branch gets this outcome
 *
 * - `condition` is the index of a function in `conditions`. Features share conditions, such as those of a segment.
 *   Each is called once per context: `results` stores its result and the evaluation that called it.
 * - `rollout` is EVERYBODY, or eight numbers: the index of the rollout, the context field of its stickiness, its last
 *   bucket, the number of buckets, and the state of the hash after the group's name. The hash of group and user
 *   continues from there, so that the group is hashed once, by the compiler.
 * - `outcome` is the number of an outcome (`outcome.ts`). A negative one is a choice between variants that depends on
 *   the context: a function in `choices`.
 *
 * A feature with the same outcome for every context has no code: its entry point is the number of the outcome. A
 * feature with parents has the conditions of its parents before its own, in each of its branches.
 *
 * `explain.ts` makes the same decisions without a program, and explains them. `agreement.test.ts` compares the two.
 */
import { type Hashable, murmur3From } from './murmur3.ts';
import { always, type Condition, never } from './operator.ts';
import type { Decision } from './outcome.ts';
import type { Rollout } from './own-condition.ts';
import type { Facts, Reader } from './reading.ts';
import { bucketOf, remainder } from './stickiness.ts';

/** A way for a feature to be on: one strategy. */
export interface Branch {
  readonly conditions: readonly Condition[];
  /** Limits the contexts that match the conditions; undefined for all. */
  readonly rollout: Rollout | undefined;
  readonly outcome: Decision;
}

/** Returns the branch with further conditions, without those that always hold; nothing if one never holds. */
export function withConditions(branch: Branch, more: readonly Condition[] = []): Branch[] {
  const conditions = [...more, ...branch.conditions];
  if (conditions.includes(never)) return [];
  return [{ ...branch, conditions: conditions.filter((condition) => condition !== always) }];
}

/** The number of an outcome, or the address of the code that finds it. */
export type EntryPoint = number | { readonly address: number };

export interface Program {
  /**
   * Adds the code of a feature, whose branches come from `withConditions`. Branches after one that always matches are
   * omitted. The outcomes of the feature are numbered from `firstOutcome`.
   */
  readonly emit: (
    branches: readonly Branch[],
    otherwise: number,
    firstOutcome: number,
  ) => EntryPoint;
  /** Returns the number of the outcome. */
  readonly run: (address: number, facts: Facts) => number;
}

/** Numbers items; equal items get the same number. */
function createIndex<T>() {
  const numbers = new Map<T, number>();
  const items: T[] = [];
  const numberOf = (item: T): number => {
    const existing = numbers.get(item);
    if (existing !== undefined) return existing;
    numbers.set(item, items.length);
    return items.push(item) - 1;
  };
  return { items, numberOf };
}

const END = -1;
const EVERYBODY = -1;

export function createProgram(): Program {
  const code: number[] = [];
  const conditions = createIndex<Condition>();
  const ids = createIndex<Reader<Hashable>>();
  const rollouts: Rollout[] = [];
  const choices: Exclude<Decision, number>[] = [];
  /** By choice: the offset of its outcome numbers. */
  const firstOutcomes: number[] = [];
  /** By condition: twice the number of the evaluation that last called it, plus one if it held. */
  const results: number[] = [];

  function emitBranch({ conditions: own, rollout, outcome }: Branch, firstOutcome: number): void {
    const begin = code.length;
    // Overwritten below, when the address of the next instruction is known.
    code.push(END, own.length);
    for (const condition of own) {
      const number = conditions.numberOf(condition);
      results[number] ??= -1;
      code.push(number);
    }
    if (rollout === undefined) {
      code.push(EVERYBODY);
    } else {
      const { prefix, id, buckets } = rollout.sorter;
      code.push(rollouts.push(rollout) - 1, ids.numberOf(id), Math.floor(rollout.last), buckets);
      code.push(prefix.hash, prefix.rest, prefix.restBits, prefix.length);
    }
    if (typeof outcome === 'number') {
      code.push(firstOutcome + outcome);
    } else {
      firstOutcomes.push(firstOutcome);
      code.push(-choices.push(outcome));
    }
    code[begin] = code.length;
  }

  function emit(branches: readonly Branch[], otherwise: number, firstOutcome: number): EntryPoint {
    const address = code.length;
    for (const branch of branches) {
      const { conditions: own, rollout, outcome } = branch;
      if (own.length === 0 && !rollout && typeof outcome === 'number') {
        return emitEnd(address, firstOutcome + outcome);
      }
      emitBranch(branch, firstOutcome);
    }
    return emitEnd(address, firstOutcome + otherwise);
  }

  function emitEnd(address: number, outcome: number): EntryPoint {
    if (address === code.length) return outcome;
    code.push(END, outcome);
    return { address };
  }

  function isMet(number: number, facts: Facts): boolean {
    const called = 2 * facts.turn;
    const result = results[number] as number;
    if (result >= called) return result > called;
    const holds = (conditions.items[number] as Condition)(facts);
    results[number] = holds ? called + 1 : called;
    return holds;
  }

  const read = (at: number) => code[at] as number;

  function isInRollout(at: number, facts: Facts): boolean {
    const id = (ids.items[read(at + 1)] as Reader<Hashable>)(facts);
    const bucket =
      id === undefined
        ? bucketOf((rollouts[read(at)] as Rollout).sorter, facts)
        : 1 +
          remainder(
            murmur3From(read(at + 4), read(at + 5), read(at + 6), read(at + 7), id),
            read(at + 3),
          );
    return bucket > 0 && bucket <= read(at + 2);
  }

  function run(begin: number, facts: Facts): number {
    let address = begin;
    branches: for (let next = read(address); next !== END; address = next, next = read(address)) {
      const rollout = address + 2 + read(address + 1);
      for (let at = address + 2; at < rollout; at += 1) {
        if (!isMet(read(at), facts)) continue branches;
      }
      if (read(rollout) !== EVERYBODY && !isInRollout(rollout, facts)) continue;
      const outcome = read(next - 1);
      if (outcome >= 0) return outcome;
      const choose = choices[-1 - outcome] as Exclude<Decision, number>;
      return (firstOutcomes[-1 - outcome] as number) + choose(facts);
    }
    return read(address + 1);
  }

  return { emit, run };
}
