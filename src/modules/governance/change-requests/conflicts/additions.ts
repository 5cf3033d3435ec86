import type { Json } from '../../../events/index.ts';
import type { StoredChange } from '../content.ts';
import { isObject } from './merge.ts';
import { partsOf } from './subject.ts';

type Change = Pick<StoredChange, 'action' | 'payload'>;

/** What a change, or a part of one, adds from the settings of the project: a default strategy, a default stickiness. */
interface Addition {
  /** Undefined: that of the request. */
  readonly environment: string | undefined;
  readonly state: Json | null;
}

/** Their intention doesn't depend on the previous state, so that only what they add from the settings can conflict. */
const isAddition = (action: string | undefined): boolean =>
  action === 'updateEnabled' || action === 'addStrategy';

interface NewFeature {
  readonly name: string;
  readonly environments?: readonly { readonly name: string }[];
}

/** In the order of the change. `state`: the base of the change, or what it touches now. */
export function additionsIn({ action, payload }: Change, state: Json | null): readonly Addition[] {
  if (isAddition(action)) return [{ environment: undefined, state }];
  if (action === 'createFeature') {
    const { name, environments = [] } = payload as unknown as NewFeature;
    const own = isObject(state) ? state[name] : null;
    return environments.map((each) => ({
      environment: each.name,
      state: (isObject(own) ? own[each.name] : null) ?? null,
    }));
  }
  return partsOf({ action, payload }).flatMap((part, index): Addition[] => {
    if (!isAddition(part.action) || !('environment' in part)) return [];
    const own = Array.isArray(state) ? state[index] : null;
    return [{ environment: part.environment, state: own ?? null }];
  });
}

/** The rest of a base, or of what a change touches now. */
export function withoutAdditions({ action, payload }: Change, state: Json | null): Json | null {
  if (isAddition(action)) return null;
  if (action === 'createFeature' && isObject(state)) {
    return Object.fromEntries(
      Object.entries(state).map(([name, own]) => [name, isObject(own) ? null : own]),
    );
  }
  if (action !== 'saveFeatureChanges' || !Array.isArray(state)) return state;
  const parts = partsOf({ action, payload });
  return state.map((own, index) => (isAddition(parts[index]?.action) ? null : own));
}
