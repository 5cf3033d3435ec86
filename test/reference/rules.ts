import type { Difference } from './compare.ts';
import type { RecordedRequest } from './exchange.ts';

/** An intended difference. */
interface Rule {
  /** The first cell of the line in docs/differences.md that explains it. */
  readonly line: string;
  /** The requests it applies to; all if omitted. */
  readonly ask?: RegExp;
  /** Where in the response: `status`, or a path in the body. */
  readonly at: RegExp;
  readonly kind?: Difference['kind'];
  readonly when?: (difference: Difference, their: RecordedRequest) => boolean;
}

const status = /^status$/;
const isUnset = ({ theirs }: Difference) => theirs === null || theirs === '';
const bodyHas =
  (text: string) =>
  (_: Difference, { body }: RecordedRequest) =>
    JSON.stringify(body ?? null).includes(text);

/** Properties that only Burgee returns. Any other additional property fails the test. */
const additionalProperties = [
  // Features, as a read returns them.
  'archived archivedAt children collaborators createdAt createdBy dependencies description enabled environments favorite lastSeenAt lifecycle potentiallyStale project sortOrder tags type variants',
  // Features in an environment.
  'enabledStrategyCount environment featureName hasEnabledStrategies hasStrategies strategies targeted variantCount',
  // Strategies, constraints and variants with explicit defaults.
  'caseInsensitive constraints disabled inverted overrides payload segments stickiness title',
  // Default parameters of a strategy.
  'IPs groupId hostNames rollout userIds',
  // Results of the playground and their reasons.
  'condition explanation feature_enabled parentDependencies reason variant variantChoice',
  // Projects, environments and segments.
  'apiTokenCount asksBeforeProduction autoStale budget changeRequestEnvironments changeRequestsEnabled defaultStickiness defaultStrategy enabledToggleCount featureLimit id linkTemplates owners potentiallyStaleFeatureCount projectCount staleFeatureCount technicalDebt updatedAt usedInFeatures usedInProjects',
  // Exports and the validation of an import.
  'featureMetadata plan',
].flatMap((names) => names.split(' '));

const responseRules: readonly Rule[] = [
  {
    line: 'additional properties',
    at: new RegExp(`(^|\\.|\\[\\]\\.)(${additionalProperties.join('|')})$`),
    kind: 'more',
  },
  {
    line: 'unset values',
    ask: /health-report$/,
    at: /(^|\.)(lastSeenAt|featureNaming\.\w+)$/,
    kind: 'less',
    when: isUnset,
  },
  {
    line: 'unset values',
    ask: /features-batch\/export$/,
    at: /^featureStrategies\[\]\.title$/,
    kind: 'less',
    when: isUnset,
  },
  {
    line: 'unset values',
    ask: /\/api\/admin\/projects$/,
    at: /^projects\[\]\.(archivedAt|lastReportedFlagUsage)$/,
    kind: 'less',
    when: isUnset,
  },
  {
    line: 'empty descriptions',
    at: /(^|\.)description$/,
    when: ({ theirs, ours }) => !theirs && !ours,
  },
  {
    line: 'empty strategy titles',
    at: /(^|\.)title$/,
    when: ({ theirs, ours }) => !theirs && !ours,
  },
  { line: '`yes` and `no` of environments', at: /environments\[\]\.(yes|no)$/, kind: 'less' },
  {
    line: 'enabling or disabling a feature',
    ask: /\/(on|off)(\?.*)?$/,
    at: /^$/,
    when: ({ theirs }) => theirs === undefined,
  },
  {
    line: '`name` of a feature in an environment',
    ask: /^GET .*\/environments\/\w+$/,
    at: /^name$/,
  },
  {
    line: 'environments in a search by status',
    ask: /search\/features\?status/,
    at: /^features\[\]\.environments(\[\]\.\w+)?$/,
  },
  {
    line: 'environments of archived features',
    ask: /archive\/features/,
    at: /^features\[\]\.environments$/,
  },
  { line: 'variants of a default strategy', at: /defaultStrategy\.variants\[\]/ },
  { line: 'variants of a default strategy', ask: /default-strategy$/, at: /^variants\[\]/ },
  { line: 'the response of `variants-batch`', ask: /variants-batch$/, at: /^variants\[\]/ },
  {
    line: 'rounding of weights in a clone',
    ask: /clone-of-thirds/,
    at: /^\[\]\.variants\[\]\.weight$/,
  },
  {
    line: 'strategy types',
    ask: /^(GET|POST|PUT) \/api\/admin\/strategies/,
    at: /^(strategies|parameters|title|displayName)/,
  },
  {
    line: 'predefined context fields',
    ask: /^GET \/api\/admin\/context$/,
    at: /^\[\]\.(stickiness|description)$/,
  },
  { line: '`sortOrder` of a context field', ask: /\/api\/admin\/context/, at: /sortOrder$/ },
  { line: 'the environment `default`', ask: /\/api\/admin\/environments/, at: /^environments$/ },
  { line: 'icon of the tag type `simple`', ask: /\/tag-types$/, at: /^tagTypes\[\]\.icon$/ },
  {
    line: 'statistics of a project',
    ask: /\/api\/admin\/projects(\/default\/(overview|health-report))?$/,
    at: /(^|\.)(stats\.\w+|health|lastUpdatedAt|onboardingStatus.*|description)$/,
  },
  {
    line: 'tags of an imported feature',
    ask: /search\/features\?(state|limit)/,
    at: /^(features|total)/,
  },
  { line: 'change requests', at: /changeRequest/, kind: 'less' },
  { line: 'the lifecycle', at: /lifecycle\.stage$/ },
  { line: 'the lifecycle', ask: /\/lifecycle$/, at: /^$/ },
  { line: 'possible parents', ask: /\/parents$/, at: /^$/ },
  {
    line: 'whether a feature is enabled, in an export',
    ask: /\/export$/,
    at: /^featureEnvironments\[\]\.enabled$/,
  },
];

const requestRules: readonly Rule[] = [
  {
    line: '`PUT` of a feature',
    ask: /^PUT .*\/put-partly$/,
    at: /^(type|impressionData|stale|description)$/,
  },
  { line: 'several parents', ask: /child-of-two$/, at: /^dependencies$/ },
  { line: '`archive/validate`', ask: /archive\/validate$/, at: /^hasDeletedDependencies$/ },
  { line: 'clones', ask: /\/clone$/, at: status },
  { line: '`?archived=true`', ask: /\?archived=true$/, at: status },
  {
    line: 'archived features',
    ask: /features\/(old|written-to)(\/|$)|archive\/written-to$|revive\/old$/,
    at: status,
  },
  {
    line: 'unknown names in a path',
    ask: /no-such-|tags\/simple\/second$|\{\{segment-faulty\}\}|\/(features|archive)\/7$/,
    at: status,
  },
  { line: 'unknown names in a body', ask: /^(POST|PUT) /, at: status, when: bodyHas('no-such-') },
  { line: 'undefined context fields', ask: /constraints\/validate$/, at: status },
  {
    line: 'invalid values',
    ask: /\/(faulty\/.*strategies|segments)$/,
    at: /^(status)?$/,
  },
  { line: 'invalid variants', ask: /badly-varied/, at: /./ },
  {
    line: 'numbers as names',
    ask: /^POST .*\/features$/,
    at: status,
    when: bodyHas('"name":7'),
  },
  { line: 'patches of a feature', ask: /^PATCH .*\/features\/bare$/, at: status },
  { line: 'IDs that are not numbers', ask: /\/segments\/x$/, at: status },
  {
    line: 'strategy types without parameters',
    ask: /\/api\/admin\/strategies(\/noParameters)?$/,
    at: status,
  },
  {
    line: 'built-in strategy types',
    ask: /\/strategies\/default(\/deprecate)?$/,
    at: status,
  },
  { line: 'invalid dependencies', ask: /\/(child|grandchild)\/dependencies$/, at: status },
  { line: 'search parameters', ask: /limit=nonsense/, at: status },
  { line: 'the default strategy', ask: /^GET .*\/default-strategy$/, at: status },
  { line: 'the playground', ask: /\/playground$/, at: /./ },
];

export const rules: readonly Rule[] = [...responseRules, ...requestRules];

export const ruleFor = (their: RecordedRequest, difference: Difference): Rule | undefined =>
  rules.find(
    ({ ask, at, kind, when }) =>
      (ask?.test(their.ask) ?? true) &&
      at.test(difference.at) &&
      (kind === undefined || kind === difference.kind) &&
      (when?.(difference, their) ?? true),
  );
