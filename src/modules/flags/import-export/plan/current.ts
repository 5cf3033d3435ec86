import type { Project } from '../../../catalogue/projects/index.ts';
import type { StrategyParameter } from '../../../catalogue/strategy-types/index.ts';
import type { Tag } from '../../../catalogue/tags/index.ts';
import type { Dependency, Strategy, Variant } from '../../features/index.ts';

/** A feature that the document names, or on which one of the document shall depend. */
export interface CurrentFeature {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  /** These three in the environment of the import. */
  readonly enabled: boolean;
  readonly variants: readonly Variant[];
  readonly strategies: readonly Strategy[];
  readonly tags: readonly Tag[];
  readonly parents: readonly Dependency[];
  readonly hasChildren: boolean;
}

/** What a plan has to know of the place that receives the document. */
export interface Current {
  readonly project: Pick<Project, 'id' | 'defaultStickiness' | 'featureLimit' | 'featureNaming'>;
  /** How many living features the project has, and all projects together. */
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
  /** Of the constraints of the document, by `keyOf`, those that name values which are not legal here. */
  readonly illegal: ReadonlyMap<string, readonly string[]>;
  /** Whether the caller may know of a project. */
  readonly sees: (project: string) => boolean;
}
