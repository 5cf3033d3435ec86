import { isDeepStrictEqual } from 'node:util';
import {
  type Constraint,
  constraintFaults,
  expressionFaults,
} from '../catalogue/context-fields/index.ts';
import {
  type FeatureDocument,
  type Installation,
  isFromBurgee,
  loginOf,
  type ProjectDocument,
} from './document.ts';
import { type Kind, wordOf } from './import-event.ts';

/** Something that the operator should know, with what to do. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly what: string;
  readonly todo: string;
}

/** One thing: made if there is no `before`, changed otherwise. */
export interface Item<Thing = unknown> {
  readonly kind: Kind;
  readonly name: string;
  readonly after: Thing;
  readonly before?: Thing;
}

/** What an import does, in the order in which it is done, and what the operator should know about it. */
export interface Plan {
  readonly source: Installation['source'];
  readonly items: readonly Item[];
  readonly leftOut: readonly { readonly kind: Kind; readonly name: string; readonly why: string }[];
  readonly unchanged: number;
  readonly findings: readonly Finding[];
}

interface PlanOptions {
  /** Whether the event log comes too. */
  readonly history: 'wanted' | 'left out';
  /** The integrations there that an earlier run has made here. */
  readonly integrations: ReadonlySet<number>;
  /** Whether a token with this secret exists here. */
  readonly hasToken: (secret: string) => boolean;
  readonly isKnownProvider: (provider: string) => boolean;
  /** What earlier runs have made here. */
  readonly imported: readonly { readonly kind: Kind; readonly name: string }[];
  /** Features that somebody created here. */
  readonly createdHere: ReadonlySet<string>;
  /** Names of segments there that were found invalid. */
  readonly refusedSegments: readonly string[];
  /** Logins of accounts there that have another one here. */
  readonly renamed: readonly { readonly there: string; readonly here: string }[];
  /** What was imported under an id or a secret that is no longer there. */
  readonly gone: readonly { readonly kind: Kind; readonly name: string; readonly here: string }[];
}

const builtInFeatureTypes = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];

/** Without facts that come once: when it was created and archived, its stage, which goes on here, and its links. */
const comparable = ({
  createdAt: _,
  links: __,
  archivedAt: ___,
  lifecycle: ____,
  ...feature
}: FeatureDocument) => feature;

export function planMigration(theirs: Installation, own: Installation, options: PlanOptions): Plan {
  const items: Item[] = [];
  const leftOut: { kind: Kind; name: string; why: string }[] = [];
  const findings: Finding[] = [];
  let unchanged = 0;
  const omit = (kind: Kind, name: string, code: string, why: string, todo: string) => {
    leftOut.push({ kind, name, why });
    findings.push({
      code,
      severity: 'error',
      what: `The ${wordOf(kind)} '${name}' is left out: ${why}`,
      todo,
    });
  };
  const compare = <Thing extends object>(
    kind: Kind,
    wanted: readonly Thing[],
    existing: readonly Thing[],
    nameOf: (thing: Thing) => string,
    isEqual: (a: Thing, b: Thing) => boolean = isDeepStrictEqual,
  ) => {
    const known = new Map(existing.map((thing) => [nameOf(thing), thing]));
    for (const after of wanted) {
      const name = nameOf(after);
      const before = known.get(name);
      if (before && isEqual(before, after)) unchanged += 1;
      else items.push({ kind, name, after, ...(before && { before }) });
    }
  };
  const byName = ({ name }: { readonly name: string }) => name;

  const environments = theirs.environments.filter(({ name }) => {
    if (!name.includes('.')) return true;
    omit(
      'environment',
      name,
      'ENVIRONMENT_WITH_DOT',
      'names of environments cannot have a dot, because a token could not name it',
      'Clone the environment there under a name without a dot, and import again.',
    );
    return false;
  });
  const inEnvironments = new Set(environments.map(byName));
  compare('environment', environments, own.environments, byName);
  // Before the first start there are no types here. The first start makes all that we have.
  const knownTypes = new Set<string>(builtInFeatureTypes);
  compare(
    'featureType',
    theirs.featureTypes.filter(({ id }) => knownTypes.has(id)),
    own.featureTypes,
    ({ id }) => id,
  );
  compare('contextField', theirs.contextFields, own.contextFields, byName);
  compare('tagType', theirs.tagTypes, own.tagTypes, byName);
  compare('tag', theirs.tags, own.tags, ({ type, value }) => `${type}:${value}`);
  compare('strategyType', theirs.strategyTypes, own.strategyTypes, byName);
  compare(
    'role',
    theirs.roles,
    own.roles,
    byName,
    // A role that exists under this name stays: others may rely on it.
    () => true,
  );
  const ownLogins = new Set(own.accounts.map(loginOf));
  for (const account of theirs.accounts) {
    const login = loginOf(account);
    const kind = account.kind === 'person' ? 'account' : 'serviceAccount';
    if (login === '') {
      omit(
        kind,
        String(account.id),
        'ACCOUNT_WITHOUT_LOGIN',
        'it has no name to sign in with',
        'Give it an address there.',
      );
    } else if (ownLogins.has(login)) unchanged += 1;
    else items.push({ kind, name: login, after: account });
  }
  for (const { there, here } of options.renamed) {
    findings.push({
      code: 'ACCOUNT_RENAMED',
      severity: 'warning',
      what: `The user '${there}' there is '${here}' here. It keeps this name.`,
      todo: 'Change the name or the address here too, if it should be the same.',
    });
  }
  const people = theirs.accounts.filter(({ kind }) => kind === 'person');
  if (people.some((account) => !ownLogins.has(loginOf(account)))) {
    findings.push({
      code: 'PASSWORDS',
      severity: 'info',
      what: 'Passwords stay there: nobody can read them.',
      todo: 'The run prints a link for every new user to choose a password. With OpenID Connect they sign in as before.',
    });
  }
  if (theirs.accounts.some(({ kind }) => kind === 'service account')) {
    findings.push({
      code: 'SERVICE_ACCOUNT_TOKENS',
      severity: 'warning',
      what: 'Tokens of service accounts and personal tokens cannot be read there.',
      todo: 'Create new ones, and change the scripts that use them.',
    });
  }
  compare('group', theirs.groups, own.groups, byName, () => true);

  const projects = theirs.projects.map((project) => withEnvironments(project, inEnvironments));
  compare(
    'project',
    projects.map((project) => ({ ...project, access: [] })),
    own.projects.map((project) => ({ ...project, access: [] })),
    ({ id }) => id,
    ({ ours, ...before }, after) =>
      isDeepStrictEqual(after.ours ? { ...before, ours } : before, after),
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
  compare('segment', segments, own.segments, byName);

  const parents = new Set(theirs.projects.map(({ id }) => id));
  const features: FeatureDocument[] = [];
  for (const feature of theirs.features) {
    const used = feature.environments.flatMap(({ strategies }) => strategies);
    const fault = used.map(({ constraints }) => faultOf(constraints)).find((each) => each);
    const missing = used
      .flatMap(({ segments: names }) => names)
      .find((name) => badSegments.has(name));
    if (!parents.has(feature.project)) {
      omit(
        'feature',
        feature.name,
        'FEATURE_WITHOUT_PROJECT',
        `there is no project '${feature.project}'`,
        'Check the project there.',
      );
    } else if (fault !== undefined) {
      omit('feature', feature.name, 'PATTERN_BEYOND_RE2', fault, patternTodo);
    } else if (missing !== undefined) {
      omit(
        'feature',
        feature.name,
        'SEGMENT_LEFT_OUT',
        `its segment '${missing}' is left out, and without it more users would get the feature`,
        'Correct the segment there, and import again.',
      );
    } else {
      if (!knownTypes.has(feature.type)) {
        findings.push({
          code: 'FEATURE_TYPE_UNKNOWN',
          severity: 'warning',
          what: `The feature '${feature.name}' becomes a release: Burgee has no feature type '${feature.type}'.`,
          todo: 'Choose another type afterwards, if it matters.',
        });
      }
      features.push({
        ...feature,
        type: knownTypes.has(feature.type) ? feature.type : 'release',
        environments: feature.environments.filter(({ name }) => inEnvironments.has(name)),
      });
    }
  }
  const isSame = (a: FeatureDocument, b: FeatureDocument) =>
    isDeepStrictEqual(comparable(a), comparable(b));
  const ownFeatures = new Map(own.features.map((feature) => [feature.name, feature]));
  const taken = features.filter((feature) => {
    const before = ownFeatures.get(feature.name);
    return before && options.createdHere.has(feature.name) && !isSame(before, feature);
  });
  for (const { name } of taken) {
    omit(
      'feature',
      name,
      'CREATED_HERE',
      'somebody created a feature of this name here, and it differs',
      'Archive and delete the feature here, and import again, or keep it as it is.',
    );
  }
  compare(
    'feature',
    features.filter((feature) => !taken.includes(feature)),
    own.features,
    byName,
    isSame,
  );
  planDeletions(theirs, own, options, { items, findings });
  // An application that reports here already may have been described here.
  compare('application', theirs.applications, own.applications, byName, () => true);
  planTokens(theirs, inEnvironments, options, { items, findings, same: () => (unchanged += 1) });
  planIntegrations(theirs, options, { items, findings, same: () => (unchanged += 1) });
  if (options.history === 'left out' && !isFromBurgee(theirs.source)) {
    findings.push({
      code: 'HISTORY_LEFT_OUT',
      severity: 'warning',
      what: 'The event log there is left out, because this installation has changes of its own. Favourites are read from it, and are left out too.',
      todo: 'To have the history too, import into a new installation: another DATA_DIR, or an empty database.',
    });
  }
  if (theirs.source.edition.toLowerCase() !== 'open source' && !isFromBurgee(theirs.source)) {
    findings.push({
      code: 'ENTERPRISE_UNTESTED',
      severity: 'info',
      what: `The edition there is '${theirs.source.edition}'. Groups, custom roles, project access and service accounts are read by its public API description, and have not been tested against it. Change requests, release plans, signals, actions and banners are not brought over.`,
      todo: 'Compare groups, roles and access after the run.',
    });
  }
  return { source: theirs.source, items, leftOut, unchanged, findings };
}

const patternTodo =
  'Replace the pattern there by one that RE2 accepts (no look-around, no back references), and import again.';

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
  readonly same: () => void;
}

function planAccess(projects: readonly ProjectDocument[], own: Installation, items: Item[]): void {
  const known = new Map(own.projects.map((project) => [project.id, project]));
  for (const { id, access, archived } of projects) {
    const before = known.get(id);
    // Nobody can change who has access to an archived project.
    if (before?.archived && archived) continue;
    const existing = before?.access ?? [];
    const added = access.filter((each) => !existing.some((one) => isDeepStrictEqual(one, each)));
    if (added.length > 0) items.push({ kind: 'projectAccess', name: id, after: added });
  }
}

/** What was imported and is no longer there. Features are archived, which can be undone. The rest stays. */
function planDeletions(
  theirs: Installation,
  own: Installation,
  { imported, gone }: PlanOptions,
  { items, findings }: Pick<Sink, 'items' | 'findings'>,
): void {
  const names = (all: readonly { readonly name: string }[]) => new Set(all.map(({ name }) => name));
  const ids = (all: readonly { readonly id: string }[]) => new Set(all.map(({ id }) => id));
  const compared: Partial<Record<Kind, readonly [ReadonlySet<string>, ReadonlySet<string>]>> = {
    environment: [names(theirs.environments), names(own.environments)],
    contextField: [names(theirs.contextFields), names(own.contextFields)],
    tagType: [names(theirs.tagTypes), names(own.tagTypes)],
    strategyType: [names(theirs.strategyTypes), names(own.strategyTypes)],
    segment: [names(theirs.segments), names(own.segments)],
    role: [names(theirs.roles), names(own.roles)],
    group: [names(theirs.groups), names(own.groups)],
    project: [ids(theirs.projects), ids(own.projects.filter(({ archived }) => !archived))],
  };
  const featuresThere = names(theirs.features);
  const featuresHere = new Map(own.features.map((feature) => [feature.name, feature]));
  const report = (kind: Kind, name: string, here: string, todo: string) =>
    findings.push({
      code: 'DELETED_THERE',
      severity: 'warning',
      what: `The ${wordOf(kind)} '${name}' has been deleted there since it was imported. Here it ${here}.`,
      todo,
    });
  for (const { kind, name } of imported) {
    if (kind === 'feature') {
      const before = featuresHere.get(name);
      if (!before || before.archived || featuresThere.has(name)) continue;
      items.push({ kind, name, before, after: { ...before, archived: true, dependencies: [] } });
      report(kind, name, 'is archived', 'Delete it from the archive, or revive it.');
      continue;
    }
    const [there, here] = compared[kind] ?? [];
    if (!there || there.has(name) || !here?.has(name)) continue;
    report(kind, name, 'stays', 'Delete it here too, if nothing uses it.');
  }
  for (const { kind, name, here } of gone) report(kind, name, here, 'Delete it here too.');
}

function planTokens(
  theirs: Installation,
  environments: ReadonlySet<string>,
  { hasToken }: PlanOptions,
  { items, findings, same }: Sink,
): void {
  for (const token of theirs.tokens) {
    const isKnown = environments.has(token.environment);
    if (token.secret !== null && isKnown && hasToken(token.secret)) same();
    else if (token.secret !== null && isKnown) {
      items.push({ kind: 'token', name: token.name, after: token });
    } else {
      findings.push({
        code: isKnown ? 'TOKEN_SECRET_HIDDEN' : 'TOKEN_WITHOUT_ENVIRONMENT',
        severity: 'warning',
        what: `The ${token.type} token '${token.name}' of the environment '${token.environment}' is left out: ${
          isKnown ? 'the list there hides its secret' : 'its environment is left out'
        }.`,
        todo: `Create it anew: burgee token create --type ${token.type} --name ${quoted(token.name)} --environment ${quoted(token.environment)} --project ${quoted(token.projects.join())}, and change the applications that use it.`,
      });
    }
  }
}

/** As one word of a shell: people copy the command, and the name is somebody else's. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const mask = /^\*+$/;

function planIntegrations(
  theirs: Installation,
  { integrations, isKnownProvider }: PlanOptions,
  { items, findings, same }: Sink,
): void {
  for (const integration of theirs.integrations) {
    const name = `${integration.provider} ${integration.id}`;
    if (integrations.has(integration.id)) {
      same();
      continue;
    }
    if (!isKnownProvider(integration.provider)) {
      findings.push({
        code: 'PROVIDER_UNKNOWN',
        severity: 'warning',
        what: `The integration ${name} is left out: Burgee has no such provider.`,
        todo: 'Create a webhook instead.',
      });
      continue;
    }
    items.push({ kind: 'integration', name, after: integration });
    const hidden = Object.entries(integration.parameters)
      .filter(([, value]) => mask.test(value))
      .map(([parameter]) => parameter);
    findings.push({
      code: 'INTEGRATION_OFF',
      severity: hidden.length > 0 ? 'warning' : 'info',
      what: `The integration ${name} comes switched off${hidden.length > 0 ? `, without ${hidden.join(', ')}, which the list there hides` : ''}.`,
      todo: `${hidden.length > 0 ? `Enter ${hidden.join(', ')} again. ` : ''}Switch it on after the cut-over.`,
    });
  }
}
