import { isDeepStrictEqual } from 'node:util';
import { grouped } from '../../platform/grouped.ts';
import { joinAnd } from '../../platform/joined.ts';
import {
  type Constraint,
  constraintFaults,
  expressionFaults,
} from '../catalogue/context-fields/index.ts';
import { builtInStrategyNames } from '../catalogue/strategy-types/index.ts';
import { shortName } from './check/check.ts';
import {
  type Documents,
  type FeatureDocument,
  type Installation,
  isFromBurgee,
  type Kind,
  loginOf,
  type ProjectDocument,
} from './document.ts';
import { isSameContent, isSameFeature } from './feature-changes.ts';
import { isHidden } from './kinds/connections.ts';
import { type Item, isSameApartFromCreation } from './kinds/kind.ts';
import { kinds } from './kinds/table.ts';

/** Something that the operator should know, with what to do. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly what: string;
  readonly todo: string;
  /** What it is about. */
  readonly kind?: Kind;
  readonly names?: readonly string[];
}

/** The same finding about several objects is one finding that names all of them. */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const sameText = grouped(findings, ({ code, severity, kind = '', what, todo }) =>
    JSON.stringify([code, severity, kind, what, todo]),
  );
  return [...sameText.values()].map((same) => {
    const names = [...new Set(same.flatMap((each) => each.names ?? []))];
    return { ...(same[0] as Finding), ...(names.length > 0 && { names }) };
  });
}

interface SkippedItem {
  readonly kind: Kind;
  readonly name: string;
  readonly why: string;
}

/** What an import does, in the order in which it is done, and what the operator should know about it. */
export interface Plan {
  readonly source: Installation['source'];
  readonly items: readonly Item[];
  readonly skipped: readonly SkippedItem[];
  readonly unchanged: number;
  readonly findings: readonly Finding[];
}

interface PlanOptions {
  /** Whether the event log comes too. */
  readonly history: 'wanted' | 'left out';
  /** The integrations of the source that an earlier run has created. */
  readonly integrations: ReadonlySet<number>;
  /** Whether Burgee has a token with this secret. */
  readonly hasToken: (secret: string) => boolean;
  readonly isKnownProvider: (provider: string) => boolean;
  /** What earlier runs have created. */
  readonly imported: readonly { readonly kind: Kind; readonly name: string }[];
  /** Features that someone created in Burgee. */
  readonly createdHere: ReadonlySet<string>;
  /** Names of segments of the source that were found invalid. */
  readonly refusedSegments: readonly string[];
  /** Logins of accounts that have another one in Burgee. */
  readonly renamed: readonly { readonly there: string; readonly here: string }[];
  /** Old names of imported segments that have another one in the source now, by the new ones. */
  readonly renamedSegments: ReadonlyMap<string, string>;
  /** What was imported under an id or a secret that the source no longer has. */
  readonly gone: readonly { readonly kind: Kind; readonly name: string; readonly here: string }[];
}

const builtInFeatureTypes = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];

export function planMigration(theirs: Installation, own: Installation, options: PlanOptions): Plan {
  const readAt = new Date(theirs.source.readAt);
  const items: Item[] = [];
  const skipped: SkippedItem[] = [];
  const findings: Finding[] = [];
  let unchanged = 0;
  const omit = (
    kind: Kind,
    name: string,
    code: string,
    why: string,
    todo: string,
    severity: Finding['severity'] = 'error',
  ) => {
    skipped.push({ kind, name, why });
    findings.push({ code, severity, what: `Skipped: ${why}.`, todo, kind, names: [name] });
  };
  const compare = <K extends Kind>(
    kind: K,
    wanted: readonly Documents[K][] = kinds[kind].listIn(theirs),
    isSame: (own: Documents[K], other: Documents[K]) => boolean = kinds[kind].isSame ??
      isSameApartFromCreation,
  ) => {
    const { nameOf, listIn } = kinds[kind];
    const known = new Map(listIn(own).map((thing) => [nameOf(thing), thing]));
    for (const after of wanted) {
      const name = nameOf(after);
      const before = known.get(name);
      if (before && isSame(before, after)) unchanged += 1;
      else items.push({ kind, name, after, ...(before && { before }) });
    }
  };

  const environments = theirs.environments.filter(({ name }) => {
    if (!name.includes('.')) return true;
    omit(
      'environment',
      name,
      'ENVIRONMENT_WITH_DOT',
      "environment names can't contain a dot",
      'In the source, clone the environment to a name without a dot, then run the import again.',
    );
    return false;
  });
  const inEnvironments = new Set(environments.map(({ name }) => name));
  compare('environment', environments);
  compare('featureType');
  compare('contextField');
  const ownFields = new Set(own.contextFields.map(({ name }) => name));
  for (const { name, project } of theirs.contextFields) {
    if (project === undefined || ownFields.has(name)) continue;
    findings.push({
      code: 'PROJECT_CONTEXT_FIELD',
      severity: 'info',
      what: 'Context fields of a single project become available in all projects.',
      todo: 'Nothing, unless other projects must not see them.',
      ...{ kind: 'contextField', names: [name] },
    });
  }
  compare('tagType');
  compare('tag');
  const strategyTypes = theirs.strategyTypes.filter(({ name }) => {
    if (!builtInStrategyNames.has(name)) return true;
    omit(
      'strategyType',
      name,
      'STRATEGY_TYPE_BUILT_IN',
      'Burgee has a built-in strategy type of this name. Features keep their strategies of this type',
      'Nothing. SDKs identify strategy types by name.',
      'info',
    );
    return false;
  });
  compare('strategyType', strategyTypes);
  compare('role');
  const ownLogins = new Set(own.accounts.map(loginOf));
  for (const account of theirs.accounts) {
    const login = loginOf(account);
    const kind = account.kind === 'person' ? 'account' : 'serviceAccount';
    if (login === '') {
      omit(
        kind,
        String(account.id),
        'ACCOUNT_WITHOUT_LOGIN',
        'no username or email address',
        'Add an email address in the source.',
      );
    } else if (ownLogins.has(login)) unchanged += 1;
    else items.push({ kind, name: login, after: account });
  }
  for (const { there, here } of options.renamed) {
    findings.push({
      code: 'ACCOUNT_RENAMED',
      severity: 'warning',
      what: `User '${there}' of the source is '${here}' in Burgee and keeps that name.`,
      todo: 'If they should match, rename the user in Burgee.',
    });
  }
  const people = theirs.accounts.filter(({ kind }) => kind === 'person');
  if (people.some((account) => !ownLogins.has(loginOf(account)))) {
    findings.push({
      code: 'PASSWORDS',
      severity: 'info',
      what: "Passwords can't be imported.",
      todo: 'The import prints a link for each new user to set a password. Users of OpenID Connect sign in as before.',
    });
  }
  if (theirs.accounts.some(({ kind }) => kind === 'service account')) {
    findings.push({
      code: 'SERVICE_ACCOUNT_TOKENS',
      severity: 'warning',
      what: "Service account tokens and personal access tokens can't be imported.",
      todo: 'Create new tokens and update the scripts that use them.',
    });
  }
  compare('group');

  const projects = theirs.projects.map((project) => withEnvironments(project, inEnvironments));
  compare(
    'project',
    projects.map((project) => ({ ...project, access: [] })),
  );
  planAccess(projects, own, items);

  const badSegments = new Set<string>(options.refusedSegments);
  const segments = theirs.segments.filter((segment) => {
    const fault = faultOf(segment.constraints);
    if (fault === undefined) return true;
    badSegments.add(segment.name);
    omit('segment', segment.name, 'PATTERN_BEYOND_RE2', fault, patternTodo);
    return false;
  });
  const ownSegments = new Map(own.segments.map((segment) => [segment.name, segment]));
  for (const after of segments) {
    const { name } = after;
    const before = ownSegments.get(name);
    const oldName = options.renamedSegments.get(name);
    if (before && oldName === undefined && isSameApartFromCreation(before, after)) unchanged += 1;
    else {
      const stored = before && { before: { ...before, name: oldName ?? name } };
      items.push({ kind: 'segment', name, after, ...stored });
    }
  }

  const parents = new Set(theirs.projects.map(({ id }) => id));
  const knownTypes = new Set([
    ...builtInFeatureTypes,
    ...[...theirs.featureTypes, ...own.featureTypes].map(({ id }) => id),
  ]);
  const features: FeatureDocument[] = [];
  for (const feature of theirs.features) {
    const used = feature.environments.flatMap(({ strategies }) => strategies);
    const fault = used.map(({ constraints }) => faultOf(constraints)).find((each) => each);
    const missing = used
      .flatMap(({ segments: names }) => names)
      .find((name) => badSegments.has(shortName(name)));
    if (!parents.has(feature.project)) {
      omit(
        'feature',
        feature.name,
        'FEATURE_WITHOUT_PROJECT',
        `project '${feature.project}' not found`,
        'Check the project in the source.',
      );
    } else if (fault !== undefined) {
      omit('feature', feature.name, 'PATTERN_BEYOND_RE2', fault, patternTodo);
    } else if (missing !== undefined) {
      omit(
        'feature',
        feature.name,
        'SEGMENT_SKIPPED',
        `segment '${shortName(missing)}' was skipped; without it, more users would get the feature`,
        'Fix the segment in the source, then run the import again.',
      );
    } else {
      if (!knownTypes.has(feature.type)) {
        findings.push({
          code: 'FEATURE_TYPE_UNKNOWN',
          severity: 'warning',
          what: `Unknown feature type '${feature.type}'. Features of this type are imported as release features.`,
          todo: 'Change the type after the import if needed.',
          ...{ kind: 'feature', names: [feature.name] },
        });
      }
      features.push({
        ...feature,
        type: knownTypes.has(feature.type) ? feature.type : 'release',
        environments: feature.environments.filter(({ name }) => inEnvironments.has(name)),
      });
    }
  }
  const ownFeatures = new Map(own.features.map((feature) => [feature.name, feature]));
  const withParents = omitOrphans(features, ownFeatures, (name, parent) =>
    omit(
      'feature',
      name,
      'PARENT_SKIPPED',
      `its parent '${parent}' was skipped; without it, more users would get the feature`,
      'Fix the parent feature in the source, then run the import again.',
    ),
  );
  const taken = withParents.filter((feature) => {
    const before = ownFeatures.get(feature.name);
    return before && options.createdHere.has(feature.name) && !isSameContent(before, feature);
  });
  for (const { name } of taken) {
    omit(
      'feature',
      name,
      'CREATED_IN_BURGEE',
      'a different feature with this name already exists in Burgee',
      'Keep it, or archive and delete it in Burgee and run the import again.',
    );
  }
  compare(
    'feature',
    withParents.filter((feature) => !taken.includes(feature)),
    (before, after) => options.createdHere.has(after.name) || isSameFeature(before, after, readAt),
  );
  planDeletions(theirs, own, options, { items, findings });
  compare('application');
  const sink = { items, findings, skipped, same: () => (unchanged += 1) };
  planTokens(theirs, inEnvironments, options, sink);
  planIntegrations(theirs, options, sink);
  if (options.history === 'left out' && !isFromBurgee(theirs.source)) {
    findings.push({
      code: 'HISTORY_SKIPPED',
      severity: 'warning',
      what: 'Event log and favorites skipped: this installation already has its own changes.',
      todo: 'To import the history, use a new installation (another DATA_DIR or an empty database).',
    });
  }
  if (theirs.source.edition.toLowerCase() !== 'open source' && !isFromBurgee(theirs.source)) {
    findings.push({
      code: 'ENTERPRISE_UNTESTED',
      severity: 'info',
      what: `The source is the '${theirs.source.edition}' edition. The import of its groups, custom roles, project access, and service accounts follows its public API description and is untested, and so is that of open change requests, which come without approvals. Release plans, signals, actions, and banners aren't imported.`,
      todo: 'Check groups, roles, and access after the import.',
    });
  }
  return { source: theirs.source, items, skipped, unchanged, findings: groupFindings(findings) };
}

/** Features whose parents are imported too, or are in Burgee already. */
function omitOrphans(
  features: readonly FeatureDocument[],
  own: ReadonlyMap<string, FeatureDocument>,
  omit: (name: string, parent: string) => void,
): readonly FeatureDocument[] {
  const names = new Set(features.map(({ name }) => name));
  const missingParent = ({ archived, dependencies }: FeatureDocument) =>
    archived
      ? undefined
      : dependencies.find(({ feature: parent }) => !names.has(parent) && !own.has(parent))?.feature;
  const complete = features.filter((feature) => {
    const parent = missingParent(feature);
    if (parent !== undefined) omit(feature.name, parent);
    return parent === undefined;
  });
  // Those that depend on a feature that was just omitted.
  return complete.length === features.length ? complete : omitOrphans(complete, own, omit);
}

const patternTodo =
  'In the source, replace the pattern with one that RE2 supports (no lookaround, no backreferences), then run the import again.';

const faultOf = (constraints: readonly Constraint[]): string | undefined => {
  const expressions = constraints.filter(({ operator }) => operator === 'REGEX');
  return [
    ...constraintFaults(expressions, 'its constraints'),
    ...expressionFaults([...constraints], 'its constraints'),
  ][0]?.message;
};

const withEnvironments = (
  project: ProjectDocument,
  environments: ReadonlySet<string>,
): ProjectDocument => ({
  ...project,
  environments: project.environments.filter(({ name }) => environments.has(name)),
});

interface Sink {
  readonly items: Item[];
  readonly findings: Finding[];
  readonly skipped: SkippedItem[];
  readonly same: () => void;
}

function planAccess(projects: readonly ProjectDocument[], own: Installation, items: Item[]): void {
  const known = new Map(own.projects.map((project) => [project.id, project]));
  for (const { id, access, archived } of projects) {
    const before = known.get(id);
    // No one can change who has access to an archived project.
    if (before?.archived && archived) continue;
    const existing = before?.access ?? [];
    const added = access.filter((each) => !existing.some((one) => isDeepStrictEqual(one, each)));
    if (added.length === 0) continue;
    items.push({ kind: 'projectAccess', name: id, after: { project: id, access: added } });
  }
}

const reportedIfDeleted: readonly Kind[] = [
  ...(['environment', 'contextField', 'tagType', 'strategyType', 'segment'] as const),
  ...(['role', 'group', 'project'] as const),
];

const namesIn = <K extends Kind>(kind: K, installation: Installation): Set<string> =>
  new Set(kinds[kind].listIn(installation).map(kinds[kind].nameOf));

/** What was imported and is no longer in the source. Features are archived, which can be undone. The rest stays. */
function planDeletions(
  theirs: Installation,
  own: Installation,
  { imported, gone }: PlanOptions,
  { items, findings }: Pick<Sink, 'items' | 'findings'>,
): void {
  const featuresThere = namesIn('feature', theirs);
  const active = { ...own, projects: own.projects.filter(({ archived }) => !archived) };
  const featuresHere = new Map(own.features.map((feature) => [feature.name, feature]));
  const report = (kind: Kind, name: string, here: string, todo: string) =>
    findings.push({
      code: 'DELETED_IN_SOURCE',
      severity: 'warning',
      what: `Deleted in the source after the import. In Burgee it ${here}.`,
      todo,
      ...{ kind, names: [name] },
    });
  for (const { kind, name } of imported) {
    if (kind === 'feature') {
      const before = featuresHere.get(name);
      if (!before || before.archived || featuresThere.has(name)) continue;
      items.push({ kind, name, before, after: { ...before, archived: true, dependencies: [] } });
      report(kind, name, 'is archived', 'Delete it from the archive, or revive it.');
      continue;
    }
    if (!reportedIfDeleted.includes(kind) || namesIn(kind, theirs).has(name)) continue;
    if (!namesIn(kind, active).has(name)) continue;
    report(kind, name, 'stays', 'If nothing uses it, delete it in Burgee too.');
  }
  for (const { kind, name, here } of gone) report(kind, name, here, 'Delete it in Burgee too.');
}

function planTokens(
  theirs: Installation,
  environments: ReadonlySet<string>,
  { hasToken }: PlanOptions,
  { items, findings, skipped, same }: Sink,
): void {
  for (const token of theirs.tokens) {
    const { name, type, environment, secret } = token;
    const isKnown = type === 'admin' || environments.has(environment);
    if (secret !== null && isKnown && hasToken(secret)) same();
    else if (secret !== null && isKnown) {
      items.push({ kind: 'token', name, after: token });
      if (type !== 'admin') continue;
      findings.push({
        code: 'ADMIN_TOKEN',
        severity: 'info',
        what: 'Admin tokens keep their secret and have full access. Burgee stores only a hash of the secret and never shows it.',
        todo: 'Revoke the ones you no longer need: burgee token revoke NAME.',
        ...{ kind: 'token', names: [name] },
      });
    } else {
      const scope =
        type === 'admin'
          ? ''
          : ` --environment ${quoted(environment)} --project ${quoted(token.projects.join())}`;
      const why = isKnown
        ? "the source doesn't show its secret"
        : `environment '${environment}' was skipped`;
      skipped.push({ kind: 'token', name, why });
      findings.push({
        code: isKnown ? 'TOKEN_SECRET_HIDDEN' : 'TOKEN_WITHOUT_ENVIRONMENT',
        severity: 'warning',
        what: `Skipped ${type} token: ${why}.`,
        todo: `Create a new one and update the applications that use it: burgee token create --type ${type} --name ${quoted(name)}${scope}`,
        ...{ kind: 'token', names: [name] },
      });
    }
  }
}

/** As one word of a shell: the command is copied, and the name comes from the source. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function planIntegrations(
  theirs: Installation,
  { integrations, isKnownProvider }: PlanOptions,
  { items, findings, skipped, same }: Sink,
): void {
  for (const integration of theirs.integrations) {
    const name = kinds.integration.nameOf(integration);
    if (integrations.has(integration.id)) {
      same();
      continue;
    }
    if (!isKnownProvider(integration.provider)) {
      skipped.push({ kind: 'integration', name, why: 'provider not supported' });
      findings.push({
        code: 'PROVIDER_UNKNOWN',
        severity: 'warning',
        what: `Skipped integration ${name}: provider not supported.`,
        todo: 'Create a webhook instead.',
      });
      continue;
    }
    items.push({ kind: 'integration', name, after: integration });
    const hidden = Object.entries(integration.parameters)
      .filter(([, value]) => isHidden(value))
      .map(([parameter]) => parameter);
    findings.push({
      code: 'INTEGRATION_OFF',
      severity: hidden.length > 0 ? 'warning' : 'info',
      what: `Integration ${name} is imported as disabled${hidden.length > 0 ? `, without ${joinAnd(hidden)}, which the source doesn't show` : ''}.`,
      todo: `${hidden.length > 0 ? `Enter ${joinAnd(hidden)} again. ` : ''}Enable it after the cutover.`,
    });
  }
}
