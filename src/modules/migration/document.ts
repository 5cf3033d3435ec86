import type { Constraint } from '../catalogue/context-fields/index.ts';

/**
 * Everything that an installation has, as plain data: what is read from Unleash, what Burgee has itself, and what
 * `burgee export` writes. Segments, roles, groups and accounts are named, because ids differ between installations.
 */
export interface Installation {
  readonly format: 'burgee-installation-1';
  readonly source: Source;
  readonly environments: readonly EnvironmentDocument[];
  readonly featureTypes: readonly FeatureTypeDocument[];
  readonly contextFields: readonly ContextFieldDocument[];
  readonly tagTypes: readonly TagTypeDocument[];
  readonly tags: readonly TagDocument[];
  readonly strategyTypes: readonly StrategyTypeDocument[];
  readonly segments: readonly SegmentDocument[];
  readonly projects: readonly ProjectDocument[];
  readonly features: readonly FeatureDocument[];
  readonly roles: readonly RoleDocument[];
  readonly accounts: readonly AccountDocument[];
  readonly groups: readonly GroupDocument[];
  readonly tokens: readonly TokenDocument[];
  readonly integrations: readonly IntegrationDocument[];
  readonly applications: readonly ApplicationDocument[];
}

/** The documents of each kind of things that an import creates or changes. */
export interface Documents {
  readonly environment: EnvironmentDocument;
  readonly featureType: FeatureTypeDocument;
  readonly contextField: ContextFieldDocument;
  readonly tagType: TagTypeDocument;
  readonly tag: TagDocument;
  readonly strategyType: StrategyTypeDocument;
  readonly role: RoleDocument;
  readonly account: AccountDocument;
  readonly serviceAccount: AccountDocument;
  readonly group: GroupDocument;
  readonly project: ProjectDocument;
  readonly projectAccess: {
    readonly project: string;
    readonly access: readonly AccessDocument[];
  };
  readonly segment: SegmentDocument;
  readonly feature: FeatureDocument;
  readonly token: TokenDocument;
  readonly application: ApplicationDocument;
  readonly integration: IntegrationDocument;
}

export type Kind = keyof Documents;

export interface Source {
  readonly url: string;
  readonly version: string;
  readonly edition: string;
  readonly readAt: string;
}

/** Whether a document of `burgee export` is imported, which has no event log, and not an Unleash. */
export const isFromBurgee = ({ edition }: Source): boolean => edition === 'Burgee';

/** When something was created, and by whom. Brought over when it is created, and not compared afterwards. */
interface Creation {
  readonly createdAt?: string | null;
}

/** Who created something. Someone who has no account any more, or never had one, has only a name. */
export interface CreatorDocument {
  readonly name: string;
  /** The login of the account. */
  readonly account?: string;
}

export interface EnvironmentDocument {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly sortOrder: number;
  /** Omitted: none, or the source does not have it. */
  readonly requiredApprovals?: number;
}

interface FeatureTypeDocument {
  readonly id: string;
  /** The texts of a type that Burgee does not have. */
  readonly name?: string;
  readonly description?: string;
  readonly lifetimeDays: number | null;
}

export interface ContextFieldDocument extends Creation {
  readonly name: string;
  /** The project that alone has the field. Burgee has fields of all projects only. */
  readonly project?: string;
  readonly description: string | null;
  readonly stickiness: boolean;
  readonly sortOrder: number;
  readonly legalValues: readonly { readonly value: string; readonly description?: string }[];
}

interface TagTypeDocument {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  readonly color: string | null;
}

interface TagDocument {
  readonly type: string;
  readonly value: string;
}

interface StrategyTypeDocument {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly deprecated: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface SegmentDocument extends Creation {
  /** Identifies it in its installation. */
  readonly id?: number;
  readonly createdBy?: CreatorDocument;
  readonly name: string;
  readonly description: string | null;
  readonly project: string | null;
  readonly constraints: readonly Constraint[];
}

export interface VariantDocument {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'variable' | 'fix';
  readonly stickiness: string;
  readonly payload?: { readonly type: string; readonly value: string };
  readonly overrides?: readonly {
    readonly contextName: string;
    readonly values: readonly string[];
  }[];
}

export interface StrategyDocument {
  readonly name: string;
  readonly title: string | null;
  readonly disabled: boolean;
  readonly sortOrder: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly constraints: readonly Constraint[];
  readonly variants: readonly VariantDocument[];
  /** Names, sorted. */
  readonly segments: readonly string[];
}

export interface ProjectDocument extends Creation {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: 'open' | 'protected' | 'private';
  readonly defaultStickiness: string;
  readonly featureLimit: number | null;
  readonly featureNaming: {
    readonly pattern: string;
    readonly example: string | null;
    readonly description: string | null;
  } | null;
  readonly linkTemplates: readonly {
    readonly title: string | null;
    readonly urlTemplate: string;
  }[];
  readonly archived: boolean;
  readonly archivedAt?: string | null;
  /** Settings that only Burgee has. */
  readonly ours?: {
    readonly autoStale: boolean;
    readonly asksBeforeProduction: boolean;
    readonly budget: { readonly maxStale: number | null; readonly minHealth: number | null };
  };
  readonly environments: readonly {
    readonly name: string;
    readonly defaultStrategy: StrategyDocument | null;
    /** The number of approvals that changes need. Omitted: none, or the source does not have change requests. */
    readonly requiredApprovals?: number;
    /** Omitted: the usual ones, or the source does not have them. */
    readonly rules?: RulesDocument;
  }[];
  readonly access: readonly AccessDocument[];
}

/** By which rules changes are approved. */
export interface RulesDocument {
  readonly approvers: {
    /** Logins. */
    readonly users: readonly string[];
    readonly groups: readonly string[];
    readonly roles: readonly string[];
  };
  readonly selfApproval: 'admins' | 'nobody';
  readonly expiresAfterDays: number | null;
  readonly applyAutomatically: boolean;
  readonly emergencyApply: boolean;
}

/** One role of one account or group in a project. */
export interface AccessDocument {
  readonly role: string;
  readonly account?: string;
  readonly group?: string;
}

export interface FeatureDocument {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly archived: boolean;
  readonly createdAt: string | null;
  readonly createdBy?: CreatorDocument;
  readonly archivedAt?: string | null;
  /** Null: the first stage. Undefined: the source does not have stages, or the feature is archived. */
  readonly lifecycle?: {
    readonly stage: 'pre-live' | 'live' | 'completed';
    readonly enteredAt: string;
    readonly status: 'kept' | 'discarded' | null;
  } | null;
  readonly tags: readonly TagDocument[];
  /** Undefined: the source does not show them. */
  readonly links?: readonly { readonly url: string; readonly title: string | null }[];
  /** Undefined: the source does not show it. Null: none. */
  readonly owner?: OwnerDocument | null;
  readonly expiresAt?: string | null;
  readonly dependencies: readonly DependencyDocument[];
  /** Only those with a strategy, a variant or `enabled`. */
  readonly environments: readonly StateDocument[];
}

/** A user by login, or a group by name. */
export interface OwnerDocument {
  readonly type: 'user' | 'group';
  readonly name: string;
}

export interface DependencyDocument {
  readonly feature: string;
  readonly enabled: boolean;
  readonly variants: readonly string[];
}

export interface StateDocument {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies: readonly StrategyDocument[];
  readonly variants: readonly VariantDocument[];
}

export interface RoleDocument {
  readonly name: string;
  readonly type: 'root' | 'root-custom' | 'project' | 'custom';
  readonly description: string;
  readonly permissions: readonly { readonly name: string; readonly environment?: string }[];
}

export interface AccountDocument extends Creation {
  /** Identifies it in its installation. */
  readonly id: number;
  readonly kind: 'person' | 'service account';
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: string;
}

export interface GroupDocument extends Creation {
  readonly createdBy?: CreatorDocument;
  readonly name: string;
  readonly description: string;
  readonly mappingsSSO: readonly string[];
  readonly rootRole: string | null;
  /** Logins of accounts. */
  readonly members: readonly string[];
}

export interface TokenDocument extends Creation {
  readonly name: string;
  readonly type: 'admin' | 'client' | 'frontend';
  /** Empty for an admin token. */
  readonly environment: string;
  /** `*` for all. */
  readonly projects: readonly string[];
  readonly expiresAt: string | null;
  readonly alias: string | null;
  /** Null: not readable. */
  readonly secret: string | null;
}

export interface IntegrationDocument extends Creation {
  /** Identifies it in its installation. */
  readonly id: number;
  readonly provider: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  /** These three are settings that only Burgee has. */
  readonly tags?: readonly TagDocument[];
  readonly inOrder?: boolean;
  readonly retentionDays?: number;
}

export interface ApplicationDocument {
  readonly name: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  /** The projects of the tokens that it used; `*` for all. */
  readonly usage?: readonly {
    readonly project: string;
    readonly environments: readonly string[];
  }[];
  /** What it evaluates. */
  readonly features?: readonly {
    readonly name: string;
    readonly environments: readonly string[];
  }[];
}

/** The name by which an account is found again. */
export const loginOf = ({ email, username }: Pick<AccountDocument, 'email' | 'username'>): string =>
  (email ?? username ?? '').toLowerCase();
