import type { Response } from '../../api.ts';
import { agree, joinAnd, numberText, plural } from '../../ui/format.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
type Environment = Feature['environments'][number];
type Code = Response<'GET /api/admin/projects/:projectId/code-references'>;

/** Whether a step of a removal is done. */
type State = 'done' | 'open' | 'unknown';

export interface Step {
  readonly id: 'decided' | 'same' | 'unasked' | 'code' | 'alone';
  readonly state: State;
  readonly title: string;
  readonly evidence: string;
}

interface RemovalFacts {
  readonly feature: Pick<Feature, 'environments' | 'children' | 'lifecycle'>;
  /** Applications that evaluated it recently. */
  readonly applications: readonly string[];
  readonly code: Pick<Code, 'scans' | 'total'>;
  readonly now: Date;
  /** How long ago an instant is, in words. */
  readonly since: (instant: string) => string;
}

/** After this many days without an evaluation, a feature counts as unused. */
const quietDays = 30;

function decided({ lifecycle: { stage, status } }: RemovalFacts['feature']): Step {
  const isDecided = stage === 'completed' || stage === 'archived';
  return {
    id: 'decided',
    state: isDecided ? 'done' : 'open',
    title: 'Outcome decided',
    evidence: isDecided
      ? status === undefined
        ? 'Completed'
        : `Completed: ${status}`
      : 'Mark the feature as completed to record whether it was kept or discarded.',
  };
}

/** The result for everyone; undefined if it differs between users. */
function answerIn({ enabled, strategies, variants }: Environment): 'on' | 'off' | undefined {
  if (!enabled) return 'off';
  if (variants.length > 0) return undefined;
  const active = strategies.filter(({ disabled }) => !disabled);
  const isForAll = ({
    name,
    constraints,
    segments,
    parameters,
    variants: own,
  }: (typeof active)[number]) =>
    constraints.length === 0 &&
    (segments?.length ?? 0) === 0 &&
    own.length === 0 &&
    (name === 'default' || (name === 'flexibleRollout' && parameters.rollout === '100'));
  if (active.some(isForAll)) return 'on';
  return strategies.length > 0 && active.length === 0 ? 'off' : undefined;
}

function same({ environments }: RemovalFacts['feature']): Step {
  const production = environments.filter(({ type }) => type === 'production');
  const answers = new Set(production.map(answerIn));
  const [answer] = answers;
  const id = 'same';
  const title = 'Same result for everyone in production';
  if (production.length === 0) {
    return { id, state: 'unknown', title, evidence: 'This project has no production environment.' };
  }
  return answers.size === 1 && answer !== undefined
    ? {
        id,
        state: 'done',
        title,
        evidence: answer === 'on' ? 'Enabled for everyone' : 'Disabled for everyone',
      }
    : {
        id,
        state: 'open',
        title,
        evidence: 'Results differ between users, or variants are in use.',
      };
}

function unasked({ feature: { environments }, applications, now, since }: RemovalFacts): Step {
  const seen = environments.flatMap(({ name, lastSeenAt }) =>
    lastSeenAt ? [{ name, lastSeenAt }] : [],
  );
  const [last] = seen.sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
  const id = 'unasked';
  const title = 'No longer evaluated';
  if (!last) {
    return {
      id,
      state: 'done',
      title,
      evidence: 'Never evaluated by an SDK that reports metrics.',
    };
  }
  const isQuiet = now.getTime() - Date.parse(last.lastSeenAt) >= quietDays * 86_400_000;
  const by = applications.length === 0 ? '' : ` by ${joinAnd(applications, 3)}`;
  return {
    id,
    state: isQuiet ? 'done' : 'open',
    title,
    evidence: isQuiet
      ? `Last evaluated ${since(last.lastSeenAt)} in ${last.name}.`
      : `Last evaluated ${since(last.lastSeenAt)} in ${last.name}${by}. Deploy code without it first.`,
  };
}

function code({ code: { scans, total } }: RemovalFacts): Step {
  const id = 'code';
  const title = 'Removed from code';
  if (scans.length === 0) {
    return {
      id,
      state: 'unknown',
      title,
      evidence: 'No code scanned yet. Add a scan to your CI pipeline.',
    };
  }
  const scanned = plural(scans.length, 'scanned repository', 'scanned repositories');
  return total === 0
    ? { id, state: 'done', title, evidence: `No references in ${scanned}.` }
    : {
        id,
        state: 'open',
        title,
        evidence: `${plural(total, 'reference')} left. Remove ${agree(total, 'it', 'them')} first.`,
      };
}

const alone = ({ children }: RemovalFacts['feature']): Step => ({
  id: 'alone',
  state: children.length === 0 ? 'done' : 'open',
  title: 'No dependent features',
  evidence:
    children.length === 0
      ? 'No other feature has it as a parent.'
      : `${joinAnd(children, 3)} ${agree(children.length, 'depends', 'depend')} on it. Remove the dependency first.`,
});

/** The steps of a removal, with the evidence for each. */
export const readinessOf = (facts: RemovalFacts): Step[] => [
  decided(facts.feature),
  same(facts.feature),
  unasked(facts),
  code(facts),
  alone(facts.feature),
];

/** "3 of 5 done". */
export const progressOf = (steps: readonly Step[]): string =>
  `${steps.filter(({ state }) => state === 'done').length} of ${steps.length} done`;

/** The heading of a list that may be cut: "Showing 50 of 212"; undefined if it is complete. */
export const cutText = (shown: number, total: number): string | undefined =>
  shown < total ? `Showing ${numberText(shown)} of ${numberText(total)}` : undefined;

/** What is left to do. */
export function conclusionOf(steps: readonly Step[]): string {
  const count = (state: State) => steps.filter((step) => step.state === state).length;
  const [open, unknown] = [count('open'), count('unknown')];
  if (open > 0) return `${plural(open, 'blocker')} left`;
  return unknown > 0 ? 'No known blockers' : 'Ready to archive';
}
