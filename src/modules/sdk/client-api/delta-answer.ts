import type { Definitions, Snapshot } from '../snapshot/index.ts';
import type { Answer, RenderedView } from './answers.ts';
import type { Content } from './content.ts';
import { type ContentName, createFindNamed, hydrationJson, nameOf, updateJson } from './delta.ts';
import { featuresAnswer, type StreamFormat } from './features.ts';
import type { View } from './view.ts';

/** The response with the whole content, for a client without content or with unknown content. */
export const hydrationAnswer = ({ view, content, answer }: RenderedView): Answer =>
  answer('hydration', nameOf(view, content), () => hydrationJson(content));

/** The whole content in the format of a stream. */
export const everything = (rendered: RenderedView, format: StreamFormat): Answer =>
  format === 'changes'
    ? hydrationAnswer(rendered)
    : featuresAnswer(rendered, format === 'features inlined');

export const isOf = (view: View, content: Content, named: ContentName): boolean =>
  named.digest === view.digest && named.fingerprint === content.fingerprint;

/** Returns the changes since the named content, or undefined if that is unknown. */
export type FindUpdate = (
  rendered: RenderedView,
  named: ContentName,
  snapshot: Snapshot,
) => Answer | undefined;

/** Caches updates: after an interruption many clients return with the same content, and the update is computed once. */
export function createFindUpdate(definitions: Pick<Definitions, 'changesBehind'>): FindUpdate {
  const findNamed = createFindNamed(definitions);
  return ({ view, content, find, answer }, named, snapshot) => {
    if (named.digest !== view.digest) return undefined;
    const kind = `behind ${named.revision}:${named.fingerprint}`;
    const cached = find(kind);
    if (cached) return cached;
    const before = findNamed(named, view, snapshot);
    return before && answer(kind, nameOf(view, content), () => updateJson(before, content));
  };
}
