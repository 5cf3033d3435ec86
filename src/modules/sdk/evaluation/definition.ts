/** The input of evaluation: the parts of GET /api/client/features that affect decisions. */
export interface Definition {
  readonly features: readonly FeatureDefinition[];
  readonly segments?: readonly SegmentDefinition[] | undefined;
}

export interface FeatureDefinition {
  readonly name: string;
  readonly enabled: boolean;
  readonly impressionData?: boolean | null | undefined;
  /** In the order of evaluation: the first one that holds decides, and selects the variant. */
  readonly strategies?: readonly StrategyDefinition[] | null | undefined;
  readonly variants?: readonly VariantDefinition[] | null | undefined;
  readonly dependencies?: readonly DependencyDefinition[] | null | undefined;
}

export interface StrategyDefinition {
  readonly id?: string | undefined;
  readonly name: string;
  readonly title?: string | null | undefined;
  readonly disabled?: boolean | null | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined;
  readonly constraints?: readonly ConstraintDefinition[] | null | undefined;
  readonly segments?: readonly number[] | null | undefined;
  readonly variants?: readonly VariantDefinition[] | null | undefined;
}

export interface ConstraintDefinition {
  readonly contextName: string;
  /** A constraint with an unknown operator never holds. */
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
  readonly value?: string | null | undefined;
  readonly inverted?: boolean | null | undefined;
  readonly caseInsensitive?: boolean | null | undefined;
}

export interface SegmentDefinition {
  readonly id: number;
  readonly name?: string | undefined;
  readonly constraints?: readonly ConstraintDefinition[] | null | undefined;
}

export interface VariantDefinition {
  readonly name: string;
  readonly weight: number;
  readonly stickiness?: string | null | undefined;
  readonly payload?: Payload | null | undefined;
  readonly overrides?: readonly OverrideDefinition[] | null | undefined;
}

interface OverrideDefinition {
  readonly contextName: string;
  readonly values?: readonly string[] | null | undefined;
}

export interface DependencyDefinition {
  readonly feature: string;
  /** False requires the parent to be off. The default requires it to be on. */
  readonly enabled?: boolean | null | undefined;
  readonly variants?: readonly string[] | null | undefined;
}

interface Payload {
  readonly type: string;
  readonly value: string;
}

/** The Unleash context. Numbers and booleans among the properties are read as text. */
export interface Context {
  readonly userId?: string | null | undefined;
  readonly sessionId?: string | null | undefined;
  readonly environment?: string | null | undefined;
  readonly appName?: string | null | undefined;
  readonly remoteAddress?: string | null | undefined;
  readonly currentTime?: string | Date | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The result of an evaluation. The values are shared between responses and frozen. */
export interface Evaluation {
  readonly name: string;
  readonly enabled: boolean;
  readonly variant: EvaluatedVariant;
  readonly impressionData: boolean;
}

export interface EvaluatedVariant {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: Payload;
  /** The spelling that SDKs read. */
  readonly feature_enabled: boolean;
}
