import { decisionWords } from '../playground/index.ts';
import type { BothStates, Side } from './both-states.ts';
import { type Combination, type Condition, describe } from './combinations.ts';
import type { Group } from './decision-groups.ts';
import type { Field } from './fields.ts';

interface Decision {
  readonly enabled: boolean;
  /** Omitted if it has none. */
  readonly variant?: string;
  /** Why, for the example. */
  readonly explanation: string;
}

/** Contexts with the same decision before and the same other decision after. */
export interface ChangedDecision {
  readonly before: Decision;
  readonly after: Decision;
  /** Whether only the payload of the variant differs. */
  readonly payloadChanged: boolean;
  readonly contexts: number;
  /** How many of them the user has tried. */
  readonly tried: number;
  /** The percentage of the users in these contexts; omitted if it is all of them. */
  readonly share?: { readonly from: number; readonly to: number };
  /** Which contexts these are; omitted if that can't be said in a few conditions. */
  readonly where?: Condition[];
  readonly example: Record<string, string>;
}

const maxExplanationLength = 300;

const shortened = (text: string): string =>
  text.length > maxExplanationLength ? `${text.slice(0, maxExplanationLength - 1)}…` : text;

interface PresentSources {
  readonly environment: string;
  readonly both: BothStates;
  readonly fields: readonly Field[];
  /** The combination of a context; undefined for one that the user tried. */
  readonly combinationOf: (context: number) => Combination | undefined;
  /** Whether all combinations were evaluated. */
  readonly isComplete: boolean;
}

function shareOf(shares: readonly number[]): ChangedDecision['share'] {
  const percentages = shares.map((share) => Math.round(share * 100));
  const [from, to] = [Math.min(...percentages), Math.max(...percentages)];
  return from < 100 ? { from, to } : undefined;
}

/** A group as the preview returns it. */
export function presentGroup(group: Group, sources: PresentSources): ChangedDecision {
  const { environment, both, fields, combinationOf, isComplete } = sources;
  const decisionOf = (side: Side, { enabled, variant }: Group['before']): Decision => ({
    enabled,
    ...(variant.enabled && { variant: variant.name }),
    explanation: shortened(decisionWords(both.explain(side, group.example), environment)),
  });
  const generated: { combination: Combination; share: number }[] = [];
  for (const [context, share] of group.shares) {
    const combination = combinationOf(context);
    if (combination) generated.push({ combination, share });
  }
  const isGenerated = generated.length > 0;
  // A user who was tried is one, and not a share.
  const share = isGenerated ? shareOf(generated.map((each) => each.share)) : undefined;
  const where =
    isComplete && isGenerated
      ? describe(
          fields,
          generated.map(({ combination }) => combination),
        )
      : undefined;
  return {
    before: decisionOf(both.before, group.before),
    after: decisionOf(both.after, group.after),
    payloadChanged: group.payloadChanged,
    contexts: group.shares.size,
    tried: group.shares.size - generated.length,
    ...(share && { share }),
    ...(where && { where }),
    example: group.example.context,
  };
}
