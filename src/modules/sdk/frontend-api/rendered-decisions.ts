import { createHash } from 'node:crypto';
import { inSlices } from '../../../platform/slices.ts';
import type { Context, Decisions, Evaluator, Outcome } from '../evaluation/index.ts';
import { createAnswerCache } from './answer-cache.ts';

/** A list of decisions as JSON. */
interface RenderedList {
  /** The same for the same list, on every instance and after a restart. */
  readonly entityTag: string;
  /** Composed on demand: a client that has the list needs only the tag. */
  readonly body: () => Buffer;
}

interface DecisionRenderer {
  readonly one: (evaluator: Evaluator, number: number) => Buffer;
  readonly all: (evaluator: Evaluator, context: Context) => Promise<RenderedList>;
}

/** Returns the JSON of an outcome, empty for one that is not listed. */
type TextOf = (outcome: Outcome) => string;

interface Text {
  /** Stored as bytes: joining and encoding 450 strings took three times as long as copying them. */
  readonly bytes: Buffer;
  /** Two numbers from which the entity tag is computed. */
  readonly hash: readonly [number, number];
}

interface Prepared {
  /** The id of the evaluator, part of the keys of cached responses. */
  readonly id: number;
  readonly texts: (Buffer | undefined)[];
  readonly hashes: Int32Array;
}

/** More texts than this are rendered in slices: 10,000 of them took 0.15 s in the first request. */
const fewTexts = 500;

const rotated = (word: number) => (word << 13) | (word >>> 19);
const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');

const comma = ','.charCodeAt(0);

/** Joins texts with commas, between a prefix and a suffix. */
function joined(begin: Buffer, texts: readonly Buffer[], end: Buffer): Buffer {
  let length = begin.length + end.length + Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  const body = Buffer.allocUnsafeSlow(length);
  body.set(begin, 0);
  let at = begin.length;
  for (const text of texts) {
    if (at > begin.length) body[at++] = comma;
    body.set(text, at);
    at += text.length;
  }
  body.set(end, at);
  return body;
}

/**
 * Renders decisions as JSON: an object with one list, `listName`. The text of each outcome is rendered once, and cached
 * while any evaluator has the outcome. The entity tag is computed from the hashes of the texts, so that no request
 * hashes 50 kB.
 */
export function createDecisionRenderer(listName: string, textOf: TextOf): DecisionRenderer {
  const [begin, end] = [Buffer.from(`{"${listName}":[`), Buffer.from(']}')];
  const textOfOutcome = new WeakMap<Outcome, Text>();
  const preparedOf = new WeakMap<Evaluator, Prepared>();
  const answers = createAnswerCache();
  let evaluators = 0;

  function preparedFor(evaluator: Evaluator): Prepared {
    const found = preparedOf.get(evaluator);
    if (found) return found;
    const { length } = evaluator.outcomes;
    evaluators += 1;
    const fresh = {
      id: evaluators,
      texts: new Array<Buffer | undefined>(length).fill(undefined),
      hashes: new Int32Array(2 * length),
    };
    preparedOf.set(evaluator, fresh);
    return fresh;
  }

  function makeText(outcome: Outcome): Text {
    const bytes = Buffer.from(textOf(outcome));
    const digest = createHash('sha1').update(bytes).digest();
    return { bytes, hash: [digest.readInt32LE(0), digest.readInt32LE(4)] };
  }

  function prepare({ texts, hashes }: Prepared, { outcomes }: Evaluator, number: number) {
    const outcome = outcomes[number] as Outcome;
    const text = textOfOutcome.get(outcome) ?? makeText(outcome);
    textOfOutcome.set(outcome, text);
    hashes.set(text.hash, 2 * number);
    texts[number] = text.bytes;
    return text.bytes;
  }

  function* prepareEach(prepared: Prepared, evaluator: Evaluator, numbers: readonly number[]) {
    for (const number of numbers) {
      if (!prepared.texts[number]) prepare(prepared, evaluator, number);
      yield;
    }
  }

  /** Renders the missing texts of these decisions, in slices if there are many. */
  function prepareMissing(prepared: Prepared, evaluator: Evaluator, numbers: Int32Array) {
    const missing: number[] = [];
    for (const number of numbers) if (!prepared.texts[number]) missing.push(number);
    return missing.length > fewTexts
      ? inSlices(prepareEach(prepared, evaluator, missing))
      : undefined;
  }

  function list(evaluator: Evaluator, prepared: Prepared, { numbers, areFleeting }: Decisions) {
    const { texts, hashes } = prepared;
    const listed: Buffer[] = [];
    let first = 0;
    let second = 0;
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] as number;
      const text = texts[number] ?? prepare(prepared, evaluator, number);
      if (text.length === 0) continue;
      listed.push(text);
      first = rotated(Math.imul(first ^ (hashes[2 * number] as number), 0x9e3779b1));
      second = rotated(Math.imul(second ^ (hashes[2 * number + 1] as number), 0x85ebca6b));
    }
    const entityTag = `W/"${listed.length}-${hex(first)}${hex(second)}"`;
    return { entityTag, areFleeting, compose: () => joined(begin, listed, end) };
  }

  async function decide(evaluator: Evaluator, prepared: Prepared, context: Context) {
    const decisions = evaluator.decideAll(context);
    const made = prepareMissing(prepared, evaluator, decisions.numbers);
    if (!(made instanceof Promise)) return list(evaluator, prepared, decisions);
    // Copied, because the evaluator overwrites its array in the next request.
    const own = { ...decisions, numbers: decisions.numbers.slice() };
    await made;
    return list(evaluator, prepared, own);
  }

  return {
    one(evaluator, number) {
      const prepared = preparedFor(evaluator);
      return prepared.texts[number] ?? prepare(prepared, evaluator, number);
    },
    async all(evaluator, context) {
      const prepared = preparedFor(evaluator);
      const question = `${prepared.id} ${JSON.stringify(context)}`;
      const nameOf = (entityTag: string) => `${prepared.id} ${entityTag}`;
      const tag = answers.findTag(question);
      if (tag !== undefined) {
        const compose = () => list(evaluator, prepared, evaluator.decideAll(context)).compose();
        return { entityTag: tag, body: () => answers.getBody(nameOf(tag), compose) };
      }
      const { entityTag, areFleeting, compose } = await decide(evaluator, prepared, context);
      const name = nameOf(entityTag);
      // Decisions that depend on time or chance are not cached by request. Equal decisions still share a body.
      if (areFleeting) return { entityTag, body: () => answers.getBody(name, compose) };
      answers.setTag(question, entityTag);
      // No other client may ever get this response, and caching it took longer than composing it.
      return { entityTag, body: () => answers.findBody(name) ?? compose() };
    },
  };
}
