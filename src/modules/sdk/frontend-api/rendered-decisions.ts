import { createCache } from '../../../platform/cache.ts';
import { digestOf } from '../../../platform/http/entity-tag.ts';
import {
  createPreparedResponses,
  type PreparedResponse,
  prepareForOne,
} from '../../../platform/http/prepared-response.ts';
import { inSlices } from '../../../platform/slices.ts';
import type { Context, Evaluator, Outcome } from '../evaluation/index.ts';

interface DecisionRenderer {
  readonly one: (outcome: Outcome) => string;
  readonly all: (evaluator: Evaluator, context: Context) => Promise<PreparedResponse>;
}

interface OutcomeText {
  readonly json: string;
  readonly digest: string;
}

/** A list of decisions. */
interface DecisionList {
  readonly entityTag: string;
  readonly texts: readonly OutcomeText[];
}

/** Most lists are sent only a few times before they change. */
const level = 1;
const maxCachedBytes = 32 * 1024 * 1024;
/** Far more lists than these would make the heap grow for users who never come back. */
const maxLists = 10_000;
/** Longer requests are not cached, because their keys would take more memory than they save time. */
const maxRequestLength = 2_000;
/** The cost of a cached list besides its key and its texts, which all lists share. */
const overheadBytes = 300;
/**
 * Clients with the same list share a response from this length on, so that slow readers do not hold 100 kB each. Shorter
 * ones take less time to render than to cache: most users have a list of their own.
 */
const sharedLength = 1_000;
/** Concatenates: `map` and `join` take twice as long. */
function listJson(name: string, texts: readonly OutcomeText[]): string {
  let items = '';
  for (const { json } of texts) items += items === '' ? json : `,${json}`;
  return `{"${name}":[${items}]}`;
}

/** How many outcomes are rendered in a step: 10,000 of them took 0.15 s in the first request. */
const stepSize = 100;

interface Format {
  /** The property of the response that contains the list. */
  readonly listName: string;
  /** Returns the outcomes to list. */
  readonly decide: (evaluator: Evaluator, context: Context) => ReturnType<Evaluator['decideAll']>;
  /** Returns the JSON of an outcome. */
  readonly render: (outcome: Outcome) => string;
}

/**
 * Renders decisions as JSON. Each outcome is rendered once, and cached while any evaluator has it. SDKs ask repeatedly
 * with the same context, so the list of a request is cached, too.
 */
export function createDecisionRenderer({ listName, decide, render }: Format): DecisionRenderer {
  const textOfOutcome = new WeakMap<Outcome, OutcomeText>();
  const idOfEvaluator = new WeakMap<Evaluator, number>();
  let evaluators = 0;
  const lists = createCache<string, DecisionList>({
    maxEntries: maxLists,
    maxCost: maxCachedBytes,
    costOf: ({ texts }, request) => overheadBytes + 2 * request.length + 8 * texts.length,
  });
  const prepare = createPreparedResponses({ maxBytes: maxCachedBytes, level });

  function textOf(outcome: Outcome): OutcomeText {
    const cached = textOfOutcome.get(outcome);
    if (cached !== undefined) return cached;
    const json = render(outcome);
    const text = { json, digest: digestOf(json) };
    textOfOutcome.set(outcome, text);
    return text;
  }

  function* renderEach(outcomes: readonly Outcome[]): Generator<void, DecisionList> {
    const texts: OutcomeText[] = [];
    let digests = '';
    for (const outcome of outcomes) {
      const text = textOf(outcome);
      texts.push(text);
      digests += text.digest;
      if (texts.length % stepSize === 0) yield;
    }
    // The same for the same list, on every instance and after a restart.
    return { entityTag: `W/"${digestOf(digests)}"`, texts };
  }

  function keyOf(evaluator: Evaluator, context: Context): string {
    let id = idOfEvaluator.get(evaluator);
    if (id === undefined) {
      evaluators += 1;
      id = evaluators;
      idOfEvaluator.set(evaluator, id);
    }
    return `${id} ${JSON.stringify(context)}`;
  }

  async function listFor(evaluator: Evaluator, context: Context): Promise<DecisionList> {
    const request = keyOf(evaluator, context);
    const cached = lists.get(request);
    if (cached) return cached;
    const { outcomes, isDeterministic } = decide(evaluator, context);
    const list = await inSlices(renderEach(outcomes));
    if (isDeterministic && request.length <= maxRequestLength) lists.set(request, list);
    return list;
  }

  return {
    one: (outcome) => textOf(outcome).json,
    async all(evaluator, context) {
      const { entityTag, texts } = await listFor(evaluator, context);
      const pieces = () => [listJson(listName, texts)];
      return texts.length < sharedLength
        ? prepareForOne({ entityTag, pieces })
        : prepare({ key: entityTag, version: entityTag, entityTag, pieces });
    },
  };
}
