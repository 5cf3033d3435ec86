import type { Clock } from '../../../platform/clock.ts';
import { inSlices } from '../../../platform/slices.ts';
import type { FlatContext } from '../playground/index.ts';
import { createBudget } from './budget.ts';
import { type FeaturePreview, previewFeature } from './feature-preview.ts';
import { type AffectedFeature, findAffected, type States } from './state.ts';

type PreviewedFeature = AffectedFeature &
  Pick<FeaturePreview, 'contexts' | 'changedContexts' | 'groups'>;

/** What a change does to the decisions in an environment. */
interface DecisionPreview {
  /** The features that are decided differently, with the contexts. */
  readonly features: PreviewedFeature[];
  /** The names of features that are decided as before, although something that they depend on differs. */
  readonly unchanged: string[];
  /** The names of features for which no difference was found, although not everything could be evaluated. */
  readonly uncertain: string[];
  /** Features with a strategy that can be evaluated by the application only. */
  readonly incomplete: string[];
  /** Expressions for which no matching value was found, so that they hold for no context. */
  readonly unmatched: { readonly feature: string; readonly contextName: string }[];
  /** How many contexts were evaluated. */
  readonly contexts: number;
  /** Whether some features, contexts, or groups were left out. */
  readonly isTruncated: boolean;
}

interface PreviewSources {
  readonly environment: string;
  readonly now: Clock;
  /** Contexts that the user has tried. */
  readonly tried: readonly FlatContext[];
}

const maxFeatures = 50;
/** Of one feature, and of all together. */
const maxContexts = 2_000;
const maxAllContexts = 20_000;
const maxGroups = 20;
const maxAllGroups = 200;

function* preview(states: States, sources: PreviewSources): Generator<void, DecisionPreview> {
  const affected = yield* findAffected(states);
  const evaluated = affected.slice(0, maxFeatures);
  const budget = createBudget();
  const most = Math.min(maxContexts, Math.floor(maxAllContexts / Math.max(1, evaluated.length)));
  const features: PreviewedFeature[] = [];
  const unchanged: string[] = [];
  const uncertain: string[] = [];
  const incomplete: string[] = [];
  const unmatched: DecisionPreview['unmatched'][number][] = [];
  let contexts = 0;
  let listed = 0;
  let isTruncated = affected.length > evaluated.length;
  for (const feature of evaluated) {
    const { name } = feature;
    const found = yield* previewFeature(name, states, {
      ...sources,
      budget,
      maxContexts: most,
      maxGroups: Math.min(maxGroups, Math.max(1, maxAllGroups - listed)),
    });
    listed += found.groups.length;
    const { groups, changedContexts } = found;
    if (groups.length === 0) (found.isTruncated ? uncertain : unchanged).push(name);
    else features.push({ ...feature, contexts: found.contexts, changedContexts, groups });
    if (found.isIncomplete) incomplete.push(name);
    for (const { contextName } of found.unmatched) unmatched.push({ feature: name, contextName });
    contexts += found.contexts;
    isTruncated ||= found.isTruncated;
  }
  return { features, unchanged, uncertain, incomplete, unmatched, contexts, isTruncated };
}

/**
 * Compares the decisions of two states of an environment, for contexts that are generated from the constraints of both.
 * Everything that a feature depends on must be in the states, and nothing that the caller may not see. The same states
 * have the same preview.
 */
export const previewDecisions = async (
  states: States,
  sources: PreviewSources,
): Promise<DecisionPreview> => inSlices(preview(states, sources));
