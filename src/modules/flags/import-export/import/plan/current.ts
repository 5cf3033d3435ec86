import type { Project } from '../../../../catalogue/projects/index.ts';
import type { StrategyParameter } from '../../../../catalogue/strategy-types/index.ts';
import type { Tag } from '../../../../catalogue/tags/index.ts';
import type { Dependency, SetOwner, Strategy, Variant } from '../../../features/index.ts';

/** A feature of the document, or a parent of one. */
export interface CurrentFeature {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly owner: SetOwner | null;
  readonly expiresAt: string | null;
  /** This and the next two in the environment of the import. */
  readonly enabled: boolean;
  readonly variants: readonly Variant[];
  readonly strategies: readonly Strategy[];
  readonly tags: readonly Tag[];
  readonly parents: readonly Dependency[];
  readonly hasChildren: boolean;
}

/** Everything that a plan depends on. */
export interface Current {
  readonly project: Pick<Project, 'id' | 'defaultStickiness' | 'featureLimit' | 'featureNaming'>;
  /** How many active features the project has, and all projects together. */
  readonly featureCount: { readonly own: number; readonly all: number };
  readonly now: Date;
  readonly features: ReadonlyMap<string, CurrentFeature>;
  readonly featureTypes: ReadonlySet<string>;
  readonly strategyTypes: ReadonlyMap<
    string,
    { readonly builtIn: boolean; readonly parameters: readonly StrategyParameter[] }
  >;
  /** Ids of the segments that the project may use, by name. */
  readonly segments: ReadonlyMap<string, number>;
  readonly contextFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlySet<string>;
  /** The users and groups of the document that can own features of the project, by `ownerNameKey`. */
  readonly owners: ReadonlyMap<string, SetOwner>;
  /** Constraints of the document with values that are not legal here, by `keyOf`. */
  readonly illegal: ReadonlyMap<string, readonly string[]>;
  /** Whether the caller sees a project. */
  readonly sees: (project: string) => boolean;
}
