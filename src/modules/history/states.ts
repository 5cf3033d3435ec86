import type { Constraint, ContextField } from '../catalogue/context-fields/index.ts';
import type { Environment } from '../catalogue/environments/index.ts';
import type { ChangeRequestRules, Project } from '../catalogue/projects/index.ts';
import type { StrategyParameter, StrategyShape } from '../catalogue/strategy-types/index.ts';
import type { Tag } from '../catalogue/tags/index.ts';
import type { Dependency, Variant } from '../flags/features/index.ts';

/** A strategy of a feature, or the default one of a project, which has no id. */
type StrategyState = Omit<StrategyShape, 'title'> & {
  readonly id: string;
  readonly title: string | null;
};

interface LinkState {
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
}

/** Users are known by their id only, so that nothing remains of an erased one. */
export interface FeatureState {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly createdAt: string;
  readonly archivedAt: string | null;
  readonly owner: { readonly type: 'user' | 'group'; readonly id: number } | null;
  readonly expiresAt: string | null;
  /** By type and value. */
  readonly tags: readonly Tag[];
  /** In the order in which they were added. */
  readonly links: readonly LinkState[];
  /** By name. */
  readonly dependencies: readonly Dependency[];
}

/** Without a state, the feature is disabled and has neither strategies nor variants. */
export interface FeatureEnvironmentState {
  readonly enabled: boolean;
  readonly variants: readonly Variant[];
  /** In their order. */
  readonly strategies: readonly StrategyState[];
}

interface SegmentState {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly project?: string;
  readonly constraints: readonly Constraint[];
  readonly createdAt: string;
}

export interface ProjectState extends Omit<Project, 'updatedAt' | 'archivedAt'> {
  readonly archivedAt: string | null;
}

export interface ProjectEnvironmentState {
  /** Null: the built-in one. */
  readonly defaultStrategy: StrategyShape | null;
  readonly changeRequestsEnabled: boolean;
  readonly requiredApprovals: number | null;
  /** Null: the usual ones. */
  readonly changeRequestRules: ChangeRequestRules | null;
}

interface StrategyTypeState {
  readonly name: string;
  readonly title?: string;
  readonly description: string | null;
  readonly parameters: readonly StrategyParameter[];
  readonly editable: boolean;
  readonly deprecated: boolean;
}

interface TagTypeState {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  readonly color: string | null;
}

interface FeatureTypeState {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly lifetimeDays: number | null;
}

interface RoleState {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** By name and environment. */
  readonly permissions: readonly { readonly name: string; readonly environment?: string }[];
}

interface GroupState {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly mappingsSSO: readonly string[];
  readonly rootRole: number | null;
}

interface AccountState {
  readonly id: number;
  readonly kind: 'person' | 'service account';
  readonly rootRole: number;
}

/** What the history knows, by kind. */
export interface States {
  feature: FeatureState;
  /** Key: the feature; part: the environment. */
  'feature-environment': FeatureEnvironmentState;
  segment: SegmentState;
  project: ProjectState;
  /** Key: the project; part: the environment. */
  'project-environment': ProjectEnvironmentState;
  environment: Environment;
  'context-field': ContextField;
  'strategy-type': StrategyTypeState;
  'tag-type': TagTypeState;
  /** Key: the type; part: the value. */
  tag: Tag;
  'feature-type': FeatureTypeState;
  role: RoleState;
  group: GroupState;
  /** Key: the group; part: the user, who may have been deleted since. */
  'group-user': { readonly userId: number };
  /** Users and service accounts. */
  account: AccountState;
  /** The IDs of the roles in a project. Key: the project; part: the user, who may have been deleted since. */
  'project-user': readonly number[];
  /** The IDs of the roles in a project. Key: the project; part: the group. */
  'project-group': readonly number[];
  /** Without secrets. */
  setting: Readonly<Record<string, unknown>>;
}

export type Kind = keyof States;

/** All states with the same kind and key. */
export interface Subject {
  readonly kind: Kind;
  readonly key: string;
}

/** The states to which events are applied. Those of the subjects of an event are there before it is applied. */
export interface World {
  readonly find: <K extends Kind>(kind: K, key: string, part?: string) => States[K] | undefined;
  /** The states of a subject by part. */
  readonly partsOf: <K extends Kind>(kind: K, key: string) => ReadonlyMap<string, States[K]>;
  /** Undefined: there is no such thing any more. */
  readonly set: <K extends Kind>(
    kind: K,
    key: string,
    part: string,
    state: States[K] | undefined,
  ) => void;
}
