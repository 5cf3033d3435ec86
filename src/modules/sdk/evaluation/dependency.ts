import type { DependencyDefinition } from './definition.ts';
import type { CompiledFeature } from './feature.ts';
import { always, type Condition, never } from './operator.ts';
import type { Outcome } from './outcome.ts';
import type { EntryPoint, Program } from './program.ts';

/** A feature that others depend on, and where the program decides it. */
interface Parent {
  readonly feature: CompiledFeature;
  readonly entryPoint: EntryPoint;
}

interface ParentProgram extends Pick<Program, 'run'> {
  readonly outcomes: readonly Outcome[];
}

export interface CompiledParent {
  readonly definition: DependencyDefinition;
  /** Undefined when the definition has no feature of that name. */
  readonly feature: CompiledFeature | undefined;
  readonly holds: Condition;
}

/**
 * What a feature wants of another. One level only: a parent that has parents itself satisfies
 * nobody, so that no cycle can be walked, and a parent is always decided as if it stood alone.
 */
export function compileParent(
  definition: DependencyDefinition,
  parent: Parent | undefined,
  program: ParentProgram,
): CompiledParent {
  const holds = compileExpectation(definition, parent, program);
  return { definition, feature: parent?.feature, holds };
}

function compileExpectation(
  { enabled, variants }: DependencyDefinition,
  parent: Parent | undefined,
  { outcomes, run }: ParentProgram,
): Condition {
  if (parent === undefined || parent.feature.hasParents) return never;
  const wantsOn = enabled !== false;
  const wanted = wantsOn && variants && variants.length > 0 ? new Set(variants) : undefined;
  const isWanted = (number: number) => {
    const { evaluation } = outcomes[number] as Outcome;
    return evaluation.enabled === wantsOn && (wanted?.has(evaluation.variant.name) ?? true);
  };
  const { entryPoint } = parent;
  if (typeof entryPoint === 'number') return isWanted(entryPoint) ? always : never;
  return (facts) => isWanted(run(entryPoint.address, facts));
}
