import type { EventType, JsonObject } from '../events/index.ts';
import type {
  FeatureEnvironmentState,
  FeatureState,
  Kind,
  ProjectEnvironmentState,
  ProjectState,
  States,
  Subject,
  World,
} from './states.ts';

/** An event as it is in the log. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly createdAt: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly data: JsonObject | null;
  readonly preData: JsonObject | null;
}

interface Fold {
  /** What the event concerns. It changes, and depends on, nothing else. */
  readonly subjects: (event: LoggedEvent) => readonly Subject[];
  readonly apply: (event: LoggedEvent, world: World) => void;
}

/** The properties of `data`, which the compiler cannot know. */
type Facts<State> = State & {
  /** What all events of a transaction may have in their data. */
  readonly comment?: string;
  readonly changeRequestId?: number;
  readonly reverts?: readonly number[];
};

function withoutCircumstances<State extends object>(facts: Facts<State>): State {
  const { comment, changeRequestId, reverts, ...state } = facts;
  return state as unknown as State;
}

/** An event without data of its own has none but its circumstances. */
function bare(event: LoggedEvent): LoggedEvent {
  if (!event.data) return event;
  const data = withoutCircumstances(event.data as Facts<JsonObject>);
  return { ...event, data: Object.keys(data).length === 0 ? null : data };
}

/** Of an event whose data is the whole state. */
const whole = <State extends object>({ data, type }: LoggedEvent): State => {
  if (!data) throw new Error(`An event of type ${type} has no data`);
  return withoutCircumstances(data as unknown as Facts<State>);
};

const nameOf = ({ data, preData }: LoggedEvent): string => String((data ?? preData)?.name);
const idOf = ({ data, preData }: LoggedEvent): string => String((preData ?? data)?.id);
const environmentOf = ({ environment }: LoggedEvent): string => String(environment);

/** The event has the whole state afterwards. */
const replaces = <K extends Kind>(
  kind: K,
  keyOf: (event: LoggedEvent) => string,
  stateOf: (event: LoggedEvent) => States[K] = (event) => whole<States[K]>(event),
): Fold => ({
  subjects: (event) => [{ kind, key: keyOf(event) }],
  apply: (event, world) => world.set(kind, keyOf(event), '', stateOf(event)),
});

const removes = (kind: Kind, keyOf: (event: LoggedEvent) => string): Fold => ({
  subjects: (event) => [{ kind, key: keyOf(event) }],
  apply: (event, world) => world.set(kind, keyOf(event), '', undefined),
});

/** Changes a state that exists. */
function changed<K extends Kind>(
  world: World,
  kind: K,
  key: string,
  change: (state: States[K]) => States[K],
): void {
  const state = world.find(kind, key);
  if (state === undefined) throw new Error(`The history has no ${kind} '${key}'`);
  world.set(kind, key, '', change(state));
}

const changes = <K extends Kind>(
  kind: K,
  keyOf: (event: LoggedEvent) => string,
  change: (state: States[K], event: LoggedEvent) => States[K],
): Fold => ({
  subjects: (event) => [{ kind, key: keyOf(event) }],
  apply: (event, world) => changed(world, kind, keyOf(event), (state) => change(state, event)),
});

const featureOf = ({ featureName }: LoggedEvent): string => String(featureName);

const featureSubjects = (event: LoggedEvent): Subject[] => [
  { kind: 'feature', key: featureOf(event) },
  { kind: 'feature-environment', key: featureOf(event) },
];

const changesFeature = (change: (state: FeatureState, event: LoggedEvent) => FeatureState): Fold =>
  changes('feature', featureOf, change);

/** A feature in events. */
type FeatureFacts = Omit<
  FeatureState,
  'owner' | 'expiresAt' | 'tags' | 'links' | 'dependencies'
> & {
  readonly owner?: { readonly type: 'user' | 'group'; readonly id: number; readonly name?: string };
  readonly expiresAt?: string;
};

const ofFacts = ({ owner, expiresAt, ...facts }: FeatureFacts) => ({
  name: facts.name,
  project: facts.project,
  type: facts.type,
  description: facts.description,
  stale: facts.stale,
  impressionData: facts.impressionData,
  createdAt: facts.createdAt,
  archivedAt: facts.archivedAt,
  owner: owner ? { type: owner.type, id: owner.id } : null,
  expiresAt: expiresAt ?? null,
});

const created = (event: LoggedEvent): FeatureState => {
  const facts = whole<FeatureFacts & { readonly links?: FeatureState['links'] }>(event);
  return { ...ofFacts(facts), tags: [], links: facts.links ?? [], dependencies: [] };
};

/** A link was added, changed or removed: null before or afterwards. */
function linksAfter(
  links: FeatureState['links'],
  before: FeatureState['links'][number] | null | undefined,
  after: FeatureState['links'][number] | null | undefined,
): FeatureState['links'] {
  if (!before) return after ? [...links, after] : links;
  return links.flatMap((link) => (link.id === before.id ? (after ?? []) : link));
}

function updated(state: FeatureState, event: LoggedEvent): FeatureState {
  const { data, preData } = event as unknown as Record<
    'data' | 'preData',
    { readonly link?: FeatureState['links'][number] | null } | null
  >;
  return {
    ...state,
    ...ofFacts(whole<FeatureFacts>(event)),
    links: linksAfter(state.links, preData?.link, data?.link),
  };
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

type FeatureTag = FeatureState['tags'][number];

const isSameTag = (a: FeatureTag) => (b: FeatureTag) => a.type === b.type && a.value === b.value;

function tagged(state: FeatureState, event: LoggedEvent): FeatureState {
  const { type, value } = whole<FeatureTag>(event);
  const others = state.tags.filter((tag) => !isSameTag({ type, value })(tag));
  const tags = [...others, { type, value }].sort(
    (a, b) => inOrder(a.type, b.type) || inOrder(a.value, b.value),
  );
  return { ...state, tags };
}

const untagged = (state: FeatureState, { preData }: LoggedEvent): FeatureState => ({
  ...state,
  tags: state.tags.filter((tag) => !isSameTag(preData as unknown as FeatureTag)(tag)),
});

type ParentDependency = FeatureState['dependencies'][number];

const withoutParent = ({ dependencies }: FeatureState, { data }: LoggedEvent) =>
  dependencies.filter(({ feature }) => feature !== data?.feature);

const dependencyAdded = (state: FeatureState, event: LoggedEvent): FeatureState => ({
  ...state,
  dependencies: [...withoutParent(state, event), whole<ParentDependency>(event)].sort((a, b) =>
    inOrder(a.feature, b.feature),
  ),
});

const nothingThere: FeatureEnvironmentState = { enabled: false, variants: [], strategies: [] };

/** A feature without anything in an environment has no state there, as if no one had ever touched it. */
function setInEnvironment(
  world: World,
  feature: string,
  environment: string,
  state: FeatureEnvironmentState,
): void {
  const isEmpty = !state.enabled && state.variants.length === 0 && state.strategies.length === 0;
  world.set('feature-environment', feature, environment, isEmpty ? undefined : state);
}

const changesEnvironment = (
  change: (state: FeatureEnvironmentState, event: LoggedEvent) => FeatureEnvironmentState,
): Fold => ({
  subjects: (event) => [{ kind: 'feature-environment', key: featureOf(event) }],
  apply: (event, world) => {
    const [feature, environment] = [featureOf(event), environmentOf(event)];
    const state = world.find('feature-environment', feature, environment) ?? nothingThere;
    setInEnvironment(world, feature, environment, change(state, event));
  },
});

type Strategies = FeatureEnvironmentState['strategies'];
type StrategyFacts = Strategies[number] & { readonly segmentNames?: readonly string[] };

const strategyOf = (event: LoggedEvent): Strategies[number] => {
  const { segmentNames, ...strategy } = whole<StrategyFacts>(event);
  return strategy;
};

/** Those with the same sort order stay in the order in which they were added, or in which an event lists them. */
const sorted = (strategies: Strategies): Strategies =>
  strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);

const changesStrategies = (
  change: (strategies: Strategies, event: LoggedEvent) => Strategies,
): Fold =>
  changesEnvironment((state, event) => ({
    ...state,
    strategies: sorted(change(state.strategies, event)),
  }));

function reordered(strategies: Strategies, event: LoggedEvent): Strategies {
  const { strategyIds, sortOrders } = whole<{
    readonly strategyIds: readonly string[];
    readonly sortOrders: readonly number[];
  }>(event);
  const places = new Map(strategyIds.map((id, place) => [id, place]));
  const placeOf = ({ id }: Strategies[number]) => places.get(id) ?? strategyIds.length;
  return strategies
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((strategy) => ({
      ...strategy,
      sortOrder: sortOrders[placeOf(strategy)] ?? strategy.sortOrder,
    }));
}

const projectOf = ({ project }: LoggedEvent): string => String(project);

const projectSubjects = (event: LoggedEvent): Subject[] => [
  { kind: 'project', key: projectOf(event) },
  { kind: 'project-environment', key: projectOf(event) },
];

type Approvals = Omit<ProjectEnvironmentState, 'defaultStrategy'>;

/** In events. The rules are missing if they are the usual ones. */
type ApprovalFacts = Omit<Approvals, 'changeRequestRules'> & {
  readonly rules?: Approvals['changeRequestRules'];
};

const approvalsOf = (settings: Partial<ApprovalFacts> | null | undefined): Approvals => ({
  changeRequestsEnabled: settings?.changeRequestsEnabled ?? false,
  requiredApprovals: settings?.requiredApprovals ?? null,
  changeRequestRules: settings?.rules ?? null,
});

type CreatedProject = Omit<ProjectState, 'archivedAt'> & {
  readonly environments: readonly string[];
  readonly changeRequestEnvironments?: readonly {
    readonly name: string;
    readonly requiredApprovals: number | null;
  }[];
};

const projectCreated: Fold = {
  subjects: projectSubjects,
  apply: (event, world) => {
    const { environments, changeRequestEnvironments, ...facts } = whole<CreatedProject>(event);
    world.set('project', facts.id, '', { ...facts, archivedAt: null });
    for (const environment of environments) {
      const asked = changeRequestEnvironments?.find(({ name }) => name === environment);
      world.set('project-environment', facts.id, environment, {
        defaultStrategy: null,
        ...approvalsOf(asked && { ...asked, changeRequestsEnabled: true }),
      });
    }
  },
};

const changesProject = (change: (state: ProjectState, event: LoggedEvent) => ProjectState): Fold =>
  changes('project', projectOf, change);

const changesProjectEnvironment = (
  change: (
    state: ProjectEnvironmentState | undefined,
    event: LoggedEvent,
  ) => ProjectEnvironmentState | undefined,
): Fold => ({
  subjects: projectSubjects,
  apply: (event, world) => {
    const [project, environment] = [projectOf(event), environmentOf(event)];
    const state = world.find('project-environment', project, environment);
    world.set('project-environment', project, environment, change(state, event));
  },
});

const unprotected: ProjectEnvironmentState = { defaultStrategy: null, ...approvalsOf(null) };

const defaultStrategyUpdated = (state = unprotected, event: LoggedEvent) => {
  const { builtIn, ...strategy } = whole<
    NonNullable<ProjectEnvironmentState['defaultStrategy']> & { readonly builtIn?: true }
  >(event);
  return { ...state, defaultStrategy: builtIn ? null : strategy };
};

const segmentOf = (event: LoggedEvent): States['segment'] => {
  const { createdBy, userId, ...segment } = whole<
    States['segment'] & { readonly createdBy?: string; readonly userId?: number }
  >(event);
  return segment;
};

const deprecates = (deprecated: boolean): Fold =>
  changes('strategy-type', nameOf, (state) => ({ ...state, deprecated }));

const marksStale = (stale: boolean): Fold => changesFeature((state) => ({ ...state, stale }));

const switches = (enabled: boolean): Fold => changesEnvironment((state) => ({ ...state, enabled }));

const tagOf = (event: LoggedEvent): States['tag'] => {
  const { type, value } = whole<States['tag']>(event);
  return { type, value };
};

const tagSubjects = (event: LoggedEvent): Subject[] => [{ kind: 'tag', key: tagOf(event).type }];

/** A part of a subject is set or removed. */
const setsTag = (exists: boolean): Fold => ({
  subjects: tagSubjects,
  apply: (event, world) => {
    const tag = tagOf(event);
    world.set('tag', tag.type, tag.value, exists ? tag : undefined);
  },
});

const featureSwitchedOffEverywhere = (event: LoggedEvent, world: World): void => {
  const feature = featureOf(event);
  for (const [environment, state] of world.partsOf('feature-environment', feature)) {
    setInEnvironment(world, feature, environment, { ...state, enabled: false });
  }
};

const featureRevived: Fold = {
  subjects: featureSubjects,
  apply: (event, world) => {
    changed(world, 'feature', featureOf(event), (state) => ({ ...state, archivedAt: null }));
    featureSwitchedOffEverywhere(event, world);
  },
};

const featureDeleted: Fold = {
  subjects: featureSubjects,
  apply: (event, world) => {
    const feature = featureOf(event);
    world.set('feature', feature, '', undefined);
    for (const environment of world.partsOf('feature-environment', feature).keys()) {
      world.set('feature-environment', feature, environment, undefined);
    }
  },
};

/** The same variants in all environments of the project. */
const variantsUpdated: Fold = {
  subjects: (event) => [...featureSubjects(event), ...projectSubjects(event)],
  apply: (event, world) => {
    const { variants } = whole<Pick<FeatureEnvironmentState, 'variants'>>(event);
    const feature = featureOf(event);
    for (const environment of world.partsOf('project-environment', projectOf(event)).keys()) {
      const state = world.find('feature-environment', feature, environment) ?? nothingThere;
      setInEnvironment(world, feature, environment, { ...state, variants });
    }
  },
};

const projectDeleted: Fold = {
  subjects: (event) => [...projectSubjects(event), ...accessSubjects(event)],
  apply: (event, world) => {
    const project = projectOf(event);
    world.set('project', project, '', undefined);
    for (const kind of ['project-environment', 'project-user', 'project-group'] as const) {
      for (const part of world.partsOf(kind, project).keys()) {
        world.set(kind, project, part, undefined);
      }
    }
  },
};

type Permissions = States['role']['permissions'];

const roleOf = (event: LoggedEvent): States['role'] => {
  const { id, name, description, type, permissions } = whole<States['role']>(event);
  const held = permissions.map((permission) => ({
    name: permission.name,
    ...(permission.environment != null && { environment: permission.environment }),
  }));
  const keyOf = (permission: Permissions[number]) => permission.environment ?? '';
  return {
    ...{ id, name, description, type },
    permissions: held.sort((a, b) => inOrder(a.name, b.name) || inOrder(keyOf(a), keyOf(b))),
  };
};

type GroupFacts = States['group'] & {
  readonly users: readonly number[];
  readonly projects?: readonly { readonly project: string }[];
};

const groupSubjects = (event: LoggedEvent): Subject[] => [
  { kind: 'group', key: idOf(event) },
  { kind: 'group-user', key: idOf(event) },
];

/** Afterwards the group has exactly these members. */
const groupSaved: Fold = {
  subjects: groupSubjects,
  apply: (event, world) => {
    const { users, projects, ...group } = whole<GroupFacts>(event);
    const key = idOf(event);
    world.set('group', key, '', group);
    for (const [part, { userId }] of world.partsOf('group-user', key)) {
      if (!users.includes(userId)) world.set('group-user', key, part, undefined);
    }
    for (const userId of users) world.set('group-user', key, String(userId), { userId });
  },
};

/** Its roles in projects are deleted with it. */
const groupDeleted: Fold = {
  subjects: (event) => [
    ...groupSubjects(event),
    ...formerProjectsOf(event).map((key) => ({ kind: 'project-group', key }) as const),
  ],
  apply: (event, world) => {
    const key = idOf(event);
    world.set('group', key, '', undefined);
    for (const user of world.partsOf('group-user', key).keys()) {
      world.set('group-user', key, user, undefined);
    }
    for (const project of formerProjectsOf(event)) {
      world.set('project-group', project, key, undefined);
    }
  },
};

const formerProjectsOf = ({ preData }: LoggedEvent): readonly string[] =>
  ((preData as unknown as Partial<GroupFacts>)?.projects ?? []).map(({ project }) => project);

const setsMember = (isMember: boolean): Fold => {
  const of = ({ data, preData }: LoggedEvent) => data ?? preData;
  return {
    subjects: (event) => [{ kind: 'group-user', key: String(of(event)?.groupId) }],
    apply: (event, world) => {
      const [group, userId] = [String(of(event)?.groupId), Number(of(event)?.userId)];
      world.set('group-user', group, String(userId), isMember ? { userId } : undefined);
    },
  };
};

/** The erasure of a user is an update, too. */
const accountSaved = (kind: States['account']['kind']): Fold => ({
  subjects: (event) => [{ kind: 'account', key: idOf(event) }],
  apply: (event, world) => {
    const { id, rootRole, erased } = whole<States['account'] & { readonly erased?: true }>(event);
    world.set('account', idOf(event), '', erased ? undefined : { id, kind, rootRole });
  },
});

type Holders = 'project-user' | 'project-group';

const accessSubjects = (event: LoggedEvent): Subject[] => [
  { kind: 'project-user', key: projectOf(event) },
  { kind: 'project-group', key: projectOf(event) },
];

/** The roles of a user or group in a project, each as kind of holder, holder and role. */
type Assignment = readonly [Holders, number, number];

function setRoles(
  world: World,
  project: string,
  kind: Holders,
  holder: number,
  roles: readonly number[],
): void {
  const held = [...new Set(roles)].sort((a, b) => a - b);
  world.set(kind, project, String(holder), held.length > 0 ? held : undefined);
}

const reassigns = (
  changeOf: (event: LoggedEvent) => {
    readonly added?: readonly Assignment[];
    readonly removed?: readonly Assignment[];
  },
): Fold => ({
  subjects: accessSubjects,
  apply: (event, world) => {
    const project = projectOf(event);
    const { added = [], removed = [] } = changeOf(event);
    const rolesOf = (kind: Holders, holder: number) =>
      world.find(kind, project, String(holder)) ?? [];
    for (const [kind, holder, role] of removed) {
      const others = rolesOf(kind, holder).filter((each) => each !== role);
      setRoles(world, project, kind, holder, others);
    }
    for (const [kind, holder, role] of added) {
      setRoles(world, project, kind, holder, [...rolesOf(kind, holder), role]);
    }
  },
});

interface AddedRole {
  readonly roleId: number;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

const accessAdded = reassigns((event) => {
  const { roles } = whole<{ readonly roles: AddedRole | readonly AddedRole[] }>(event);
  return {
    added: [roles]
      .flat()
      .flatMap(({ roleId, groupIds, userIds }): Assignment[] => [
        ...userIds.map((user): Assignment => ['project-user', user, roleId]),
        ...groupIds.map((group): Assignment => ['project-group', group, roleId]),
      ]),
  };
});

interface RoleWithHolders {
  readonly id: number;
  readonly groups: readonly number[];
  readonly users: readonly number[];
}

const allAssignments = (facts: JsonObject | null): Assignment[] =>
  ((facts as unknown as { roles?: readonly RoleWithHolders[] })?.roles ?? []).flatMap(
    ({ id, groups, users }): Assignment[] => [
      ...users.map((user): Assignment => ['project-user', user, id]),
      ...groups.map((group): Assignment => ['project-group', group, id]),
    ],
  );

/** The user or group of an event, with the role or the roles that the event names. */
function assignmentsOf(facts: JsonObject | null): Assignment[] {
  const { userId, groupId, roleId, roles } = (facts ?? {}) as {
    readonly userId?: number;
    readonly groupId?: number;
    readonly roleId?: number;
    readonly roles?: readonly number[];
  };
  const kind: Holders = groupId === undefined ? 'project-user' : 'project-group';
  const holder = groupId ?? userId;
  if (holder === undefined) return [];
  return (roles ?? (roleId === undefined ? [] : [roleId])).map((role) => [kind, holder, role]);
}

/** From the roles of `preData` to those of `data`. */
const replacesRoles = reassigns(({ data, preData }) => ({
  removed: assignmentsOf(preData),
  added: assignmentsOf(data),
}));

/** These events are about the log itself. */
const isAboutLog = ({ data }: LoggedEvent): boolean => String(data?.id).startsWith('events.');

/** What was before has no ID. */
const settingSaved: Fold = {
  subjects: ({ data }) => [{ kind: 'setting', key: String(data?.id) }],
  apply: (event, world) => {
    if (isAboutLog(event)) return;
    const { id, hideEventDetails, changed, value, ...shown } = whole<{
      readonly id: string;
      readonly hideEventDetails?: true;
      readonly changed?: readonly string[];
      readonly value?: States['setting'];
    }>(event);
    // One with a secret has its other properties apart.
    world.set('setting', id, '', hideEventDetails ? (value ?? {}) : shown);
  },
};

/** The change is of something that the history doesn't hold. */
const nothing: Fold = { subjects: () => [], apply: () => undefined };

/** What each event does to the states before it. The compiler asks for a decision about every new type. */
const folds: Readonly<Record<EventType, Fold>> = {
  'feature-created': replaces('feature', featureOf, created),
  'feature-metadata-updated': changesFeature(updated),
  'feature-updated': changesFeature(updated),
  'feature-stale-on': marksStale(true),
  'feature-stale-off': marksStale(false),
  'feature-archived': changesFeature((state, { createdAt }) => ({
    ...state,
    archivedAt: createdAt,
  })),
  'feature-revived': featureRevived,
  'feature-deleted': featureDeleted,
  'feature-project-change': changesFeature((state, { project }) => ({
    ...state,
    project: String(project),
  })),
  'feature-tagged': changesFeature(tagged),
  'feature-untagged': changesFeature(untagged),
  'feature-dependency-added': changesFeature(dependencyAdded),
  'feature-dependency-removed': changesFeature((state, event) => ({
    ...state,
    dependencies: withoutParent(state, event),
  })),
  'feature-dependencies-removed': changesFeature((state) => ({ ...state, dependencies: [] })),

  'feature-environment-enabled': switches(true),
  'feature-environment-disabled': switches(false),
  'feature-environment-variants-updated': changesEnvironment((state, event) => ({
    ...state,
    ...whole<Pick<FeatureEnvironmentState, 'variants'>>(event),
  })),
  'feature-variants-updated': variantsUpdated,
  'feature-strategy-add': changesStrategies((strategies, event) => [
    ...strategies,
    strategyOf(event),
  ]),
  'feature-strategy-update': changesStrategies((strategies, event) => {
    const after = strategyOf(event);
    return strategies.map((strategy) => (strategy.id === after.id ? after : strategy));
  }),
  'feature-strategy-remove': changesStrategies((strategies, { preData }) =>
    strategies.filter(({ id }) => id !== preData?.id),
  ),
  'strategy-order-changed': changesStrategies(reordered),

  'segment-created': replaces('segment', idOf, segmentOf),
  'segment-updated': replaces('segment', idOf, segmentOf),
  'segment-deleted': removes('segment', idOf),

  'project-created': projectCreated,
  'project-updated': changesProject((state, event) => ({
    ...whole<Omit<ProjectState, 'archivedAt'>>(event),
    archivedAt: state.archivedAt,
  })),
  'project-archived': changesProject((state, { createdAt }) => ({
    ...state,
    archivedAt: createdAt,
  })),
  'project-revived': changesProject((state) => ({ ...state, archivedAt: null })),
  'project-deleted': projectDeleted,
  'project-environment-added': changesProjectEnvironment((_none, { data }) => ({
    defaultStrategy: null,
    ...approvalsOf(data as Partial<ApprovalFacts> | null),
  })),
  'project-environment-removed': changesProjectEnvironment(() => undefined),
  'default-strategy-updated': changesProjectEnvironment(defaultStrategyUpdated),
  'change-request-configuration-updated': changesProjectEnvironment(
    (state = unprotected, event) => ({
      ...state,
      ...approvalsOf(whole<ApprovalFacts>(event)),
    }),
  ),

  'environment-created': replaces('environment', environmentOf),
  'environment-updated': replaces('environment', environmentOf),
  'environment-deleted': removes('environment', environmentOf),
  'context-field-created': replaces('context-field', nameOf),
  'context-field-updated': replaces('context-field', nameOf),
  'context-field-deleted': removes('context-field', nameOf),
  'strategy-created': replaces('strategy-type', nameOf),
  'strategy-updated': replaces('strategy-type', nameOf),
  'strategy-deprecated': deprecates(true),
  'strategy-reactivated': deprecates(false),
  'strategy-deleted': removes('strategy-type', nameOf),
  'tag-type-created': replaces('tag-type', nameOf),
  'tag-type-updated': replaces('tag-type', nameOf),
  'tag-type-deleted': removes('tag-type', nameOf),
  'tag-created': setsTag(true),
  'tag-deleted': setsTag(false),
  'feature-type-updated': replaces('feature-type', idOf),

  'role-created': replaces('role', idOf, roleOf),
  'role-updated': replaces('role', idOf, roleOf),
  'role-deleted': removes('role', idOf),
  'group-created': groupSaved,
  'group-updated': groupSaved,
  'group-deleted': groupDeleted,
  'group-user-added': setsMember(true),
  'group-user-removed': setsMember(false),
  'user-created': accountSaved('person'),
  'user-updated': accountSaved('person'),
  'user-deleted': removes('account', idOf),
  'service-account-created': accountSaved('service account'),
  'service-account-updated': accountSaved('service account'),
  'service-account-deleted': removes('account', idOf),
  'project-access-added': accessAdded,
  'project-access-user-roles-updated': replacesRoles,
  'project-access-group-roles-updated': replacesRoles,
  'project-access-user-roles-deleted': replacesRoles,
  'project-access-group-roles-deleted': replacesRoles,
  'project-access-updated': reassigns(({ data, preData }) => ({
    removed: allAssignments(preData),
    added: allAssignments(data),
  })),
  'project-user-added': replacesRoles,
  'project-user-removed': replacesRoles,
  'project-user-role-changed': replacesRoles,
  'project-group-role-changed': replacesRoles,
  'project-group-added': replacesRoles,
  'project-group-removed': replacesRoles,
  'setting-created': settingSaved,
  'setting-updated': settingSaved,
  'setting-deleted': removes('setting', idOf),

  'release-plan-added': nothing,
  'release-plan-removed': nothing,
  'release-plan-milestone-started': nothing,
  'drop-features': nothing,
  'feature-import': nothing,
  'features-imported': nothing,
  'features-exported': nothing,
  'feature-tag-import': nothing,
  'drop-feature-tags': nothing,
  'feature-completed': nothing,
  'feature-uncompleted': nothing,
  'feature-potentially-stale-on': nothing,
  'feature-favorited': nothing,
  'feature-unfavorited': nothing,
  'strategy-import': nothing,
  'drop-strategies': nothing,
  'segment-import': nothing,
  'environment-import': nothing,
  'drop-environments': nothing,
  'project-import': nothing,
  'drop-projects': nothing,
  'project-favorited': nothing,
  'project-unfavorited': nothing,
  'change-request-created': nothing,
  'change-request-discarded': nothing,
  'change-added': nothing,
  'change-discarded': nothing,
  'change-edited': nothing,
  'change-request-rejected': nothing,
  'change-request-approved': nothing,
  'change-request-approval-added': nothing,
  'change-request-cancelled': nothing,
  'change-request-sent-to-review': nothing,
  'change-request-schedule-suspended': nothing,
  'change-request-applied': nothing,
  'change-request-scheduled': nothing,
  'change-request-scheduled-application-success': nothing,
  'change-request-scheduled-application-failure': nothing,
  'release-plan-template-created': nothing,
  'release-plan-template-updated': nothing,
  'release-plan-template-deleted': nothing,
  'release-plan-template-archived': nothing,
  'application-created': nothing,
  'tag-import': nothing,
  'drop-tags': nothing,
  'tag-type-import': nothing,
  'drop-tag-types': nothing,
  'addon-config-created': nothing,
  'addon-config-updated': nothing,
  'addon-config-deleted': nothing,
  'db-pool-update': nothing,
  'user-preference-updated': nothing,
  'client-metrics': nothing,
  'client-register': nothing,
  'pat-created': nothing,
  'pat-deleted': nothing,
  'public-signup-token-created': nothing,
  'public-signup-token-user-added': nothing,
  'public-signup-token-updated': nothing,
  'api-token-created': nothing,
  'api-token-updated': nothing,
  'api-token-deleted': nothing,
  'banner-created': nothing,
  'banner-updated': nothing,
  'banner-deleted': nothing,
  'signal-endpoint-created': nothing,
  'signal-endpoint-updated': nothing,
  'signal-endpoint-deleted': nothing,
  'signal-endpoint-token-created': nothing,
  'signal-endpoint-token-updated': nothing,
  'signal-endpoint-token-deleted': nothing,
  'actions-created': nothing,
  'actions-updated': nothing,
  'actions-deleted': nothing,
  'scim-users-deleted': nothing,
  'scim-groups-deleted': nothing,
};

/** An import records that it made something, but not each of its changes. */
export const isOfImport = ({ data }: LoggedEvent): boolean =>
  data?.importedAs !== undefined && data.importedFrom !== undefined;

/** It happened in another installation, before its data was imported. */
const isImportedHistory = ({ data }: LoggedEvent): boolean => data?.importedId !== undefined;

const isKnown = (type: string): type is EventType => Object.hasOwn(folds, type);

const foldOf = (event: LoggedEvent): Fold =>
  isKnown(event.type) && !isImportedHistory(event) ? folds[event.type] : nothing;

/** The states that must be there before the event is applied. */
export const subjectsOf = (event: LoggedEvent): readonly Subject[] =>
  foldOf(event).subjects(bare(event));

/** Applies an event to the states before it. Throws if they don't fit. */
export const applyEvent = (event: LoggedEvent, world: World): void =>
  foldOf(event).apply(bare(event), world);
