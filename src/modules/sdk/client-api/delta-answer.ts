import type { Definitions, Snapshot } from '../snapshot/index.ts';
import type { Answer, Shown } from './answers.ts';
import type { Content } from './content.ts';
import { createFindNamed, hydrationJson, type Named, nameOf, updateJson } from './delta.ts';
import { featuresAnswer, type Telling } from './features.ts';
import type { View } from './view.ts';

/** Everything, for who has nothing or something unknown. */
export const hydrationAnswer = ({ view, content, answer }: Shown): Answer =>
  answer('hydration', nameOf(view, content), () => hydrationJson(content));

/** The same, as the reader of a stream understands it. */
export const everything = (shown: Shown, telling: Telling): Answer =>
  telling === 'changes'
    ? hydrationAnswer(shown)
    : featuresAnswer(shown, telling === 'features inlined');

export const isOf = (view: View, content: Content, named: Named): boolean =>
  named.digest === view.digest && named.fingerprint === content.fingerprint;

/** What is new for who has the named content; undefined when that cannot be told. */
export type FindUpdate = (shown: Shown, named: Named, snapshot: Snapshot) => Answer | undefined;

/** Many come back with the same content after an interruption: what is new is worked out for the first. */
export function createFindUpdate(definitions: Pick<Definitions, 'changesBehind'>): FindUpdate {
  const findNamed = createFindNamed(definitions);
  return ({ view, content, find, answer }, named, snapshot) => {
    if (named.digest !== view.digest) return undefined;
    const kind = `behind ${named.revision}:${named.fingerprint}`;
    const known = find(kind);
    if (known) return known;
    const before = findNamed(named, view, snapshot);
    return before && answer(kind, nameOf(view, content), () => updateJson(before, content));
  };
}
