import type { Difference } from './compare.ts';
import type { RecordedRequest } from './exchange.ts';

/** A difference that is meant. */
interface Rule {
  /** The first cell of its line in docs/differences.md. */
  readonly line: string;
  /** Which requests; left out: all. */
  readonly ask?: RegExp;
  /** Where in the answer: `status`, or a place in the body. */
  readonly at: RegExp;
  readonly kind?: Difference['kind'];
  readonly when?: (difference: Difference, their: RecordedRequest) => boolean;
}

const status = /^status$/;
const saysNothing = ({ theirs }: Difference) => theirs === null || theirs === '';
const bodyHas =
  (text: string) =>
  (_: Difference, { body }: RecordedRequest) =>
    JSON.stringify(body ?? null).includes(text);

/** What we tell, and the reference does not: nothing else is told without being noticed here. */
const more = [
  // Features, as they are when read.
  'archived archivedAt children collaborators createdAt createdBy dependencies description enabled environments favorite lastSeenAt lifecycle project sortOrder tags type variants',
  // Environments of features.
  'environment featureName hasEnabledStrategies hasStrategies strategies variantCount',
  // Strategies, constraints and variants with explicit defaults.
  'caseInsensitive constraints disabled inverted overrides payload segments stickiness title',
  // Parameters that a strategy has by default.
  'IPs groupId hostNames rollout userIds',
  // The playground, and why.
  'condition explanation feature_enabled parentDependencies reason variant variantChoice',
  // Projects, environments and segments.
  'apiTokenCount autoStale budget changeRequestsEnabled defaultStickiness defaultStrategy enabledToggleCount featureLimit id linkTemplates owners potentiallyStaleFeatureCount projectCount staleFeatureCount technicalDebt updatedAt usedInFeatures usedInProjects',
  // An import that is validated.
  'plan',
].flatMap((names) => names.split(' '));

const told: readonly Rule[] = [
  {
    line: 'more than the reference tells',
    at: new RegExp(`(^|\\.|\\[\\]\\.)(${more.join('|')})$`),
    kind: 'more',
  },
  {
    line: 'nothing to say',
    ask: /health-report$/,
    at: /(^|\.)(lastSeenAt|featureNaming\.\w+)$/,
    kind: 'less',
    when: saysNothing,
  },
  {
    line: 'nothing to say',
    ask: /features-batch\/export$/,
    at: /^featureStrategies\[\]\.title$/,
    kind: 'less',
    when: saysNothing,
  },
  {
    line: 'nothing to say',
    ask: /\/api\/admin\/projects$/,
    at: /^projects\[\]\.(archivedAt|lastReportedFlagUsage)$/,
    kind: 'less',
    when: saysNothing,
  },
  {
    line: 'empty descriptions',
    at: /(^|\.)description$/,
    when: ({ theirs, ours }) => !theirs && !ours,
  },
  {
    line: 'empty titles of strategies',
    at: /(^|\.)title$/,
    when: ({ theirs, ours }) => !theirs && !ours,
  },
  { line: '`yes` and `no` of environments', at: /environments\[\]\.(yes|no)$/, kind: 'less' },
  {
    line: 'switching a feature on or off',
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
    line: 'environments of a search by status',
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
  { line: 'the answer of `variants-batch`', ask: /variants-batch$/, at: /^variants\[\]/ },
  {
    line: 'a thousandth in a clone',
    ask: /clone-of-thirds/,
    at: /^\[\]\.variants\[\]\.weight$/,
  },
  {
    line: 'strategy types',
    ask: /^(GET|POST|PUT) \/api\/admin\/strategies/,
    at: /^(strategies|parameters|title|displayName)/,
  },
  {
    line: 'context fields that are there from the beginning',
    ask: /^GET \/api\/admin\/context$/,
    at: /^\[\]\.(stickiness|description)$/,
  },
  { line: '`sortOrder` of a context field', ask: /\/api\/admin\/context/, at: /sortOrder$/ },
  { line: 'the environment `default`', ask: /\/api\/admin\/environments/, at: /^environments$/ },
  { line: 'icon of the tag type `simple`', ask: /\/tag-types$/, at: /^tagTypes\[\]\.icon$/ },
  {
    line: 'figures of a project',
    ask: /\/api\/admin\/projects(\/default\/(overview|health-report))?$/,
    at: /(^|\.)(stats\.\w+|health|lastUpdatedAt|onboardingStatus.*|description)$/,
  },
  {
    line: 'tags of a feature that is imported',
    ask: /search\/features\?(state|limit)/,
    at: /^(features|total)/,
  },
  { line: 'change requests', at: /changeRequest/, kind: 'less' },
  { line: 'the lifecycle', at: /lifecycle\.stage$/ },
  { line: 'the lifecycle', ask: /\/lifecycle$/, at: /^$/ },
  { line: 'parents to choose from', ask: /\/parents$/, at: /^$/ },
  {
    line: 'whether a feature is on, in an export',
    ask: /\/export$/,
    at: /^featureEnvironments\[\]\.enabled$/,
  },
];

const taken: readonly Rule[] = [
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
    line: 'what is archived',
    ask: /features\/(old|written-to)(\/|$)|archive\/written-to$|revive\/old$/,
    at: status,
  },
  {
    line: 'what is not there',
    ask: /no-such-|tags\/simple\/second$|\{\{segment-faulty\}\}|\/(features|archive)\/7$/,
    at: status,
  },
  { line: 'unknown names in a body', ask: /^(POST|PUT) /, at: status, when: bodyHas('no-such-') },
  { line: 'fields that nobody defined', ask: /constraints\/validate$/, at: status },
  {
    line: 'values that mean nothing',
    ask: /\/(faulty\/.*strategies|segments)$/,
    at: /^(status)?$/,
  },
  { line: 'variants that cannot be', ask: /badly-varied/, at: /./ },
  {
    line: 'numbers as names',
    ask: /^POST .*\/features$/,
    at: status,
    when: bodyHas('"name":7'),
  },
  { line: 'patches of a feature', ask: /^PATCH .*\/features\/bare$/, at: status },
  { line: 'ids that are no numbers', ask: /\/segments\/x$/, at: status },
  {
    line: 'strategy types without parameters',
    ask: /\/api\/admin\/strategies(\/noParameters)?$/,
    at: status,
  },
  {
    line: 'strategy types that are built in',
    ask: /\/strategies\/default(\/deprecate)?$/,
    at: status,
  },
  { line: 'dependencies that cannot be', ask: /\/(child|grandchild)\/dependencies$/, at: status },
  { line: 'parameters of a search', ask: /limit=nonsense/, at: status },
  { line: 'the default strategy', ask: /^GET .*\/default-strategy$/, at: status },
  { line: 'the playground', ask: /\/playground$/, at: /./ },
];

export const rules: readonly Rule[] = [...told, ...taken];

export const ruleFor = (their: RecordedRequest, difference: Difference): Rule | undefined =>
  rules.find(
    ({ ask, at, kind, when }) =>
      (ask?.test(their.ask) ?? true) &&
      at.test(difference.at) &&
      (kind === undefined || kind === difference.kind) &&
      (when?.(difference, their) ?? true),
  );
