import type { DependencyDefinition } from './definition.ts';
import type { CompiledFeature } from './feature.ts';
import { always, type Condition, never } from './operator.ts';
import type { Outcome } from './outcome.ts';
import type { EntryPoint, Program } from './program.ts';

/** A feature that others depend on, and its entry point in the program. */
interface Parent {
  readonly feature: CompiledFeature;
  readonly entryPoint: EntryPoint;
}

interface ParentProgram extends Pick<Program, 'run'> {
  readonly outcomes: readonly Outcome[];
}

export interface CompiledParent {
  readonly definition: DependencyDefinition;
  /** Undefined if the definition has no feature of that name. */
  readonly feature: CompiledFeature | undefined;
  readonly holds: Condition;
}

/**
 * Compiles a dependency. Only one level is allowed: a parent that has parents itself satisfies no dependency. So there
 * can be no cycles, and a parent is always evaluated without parents.
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
