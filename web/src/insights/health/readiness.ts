import type { Response } from '../../api.ts';
import { agree, joinAnd, plural } from '../../ui/format.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
type Environment = Feature['environments'][number];
type Code = Response<'GET /api/admin/projects/:projectId/code-references'>;

/** Whether a condition of a removal holds: nobody may know. */
type State = 'done' | 'open' | 'unknown';

export interface Step {
  readonly id: 'decided' | 'same' | 'unasked' | 'code' | 'alone';
  readonly state: State;
  readonly title: string;
  readonly evidence: string;
}

interface RemovalFacts {
  readonly feature: Pick<Feature, 'environments' | 'children' | 'lifecycle'>;
  /** Applications that asked for it lately. */
  readonly applications: readonly string[];
  readonly code: Pick<Code, 'scans' | 'total'>;
  readonly now: Date;
  /** How long ago an instant is, in words. */
  readonly since: (instant: string) => string;
}

/** After so many days without a request, applications are taken to have stopped asking. */
const quietDays = 30;

function decided({ lifecycle: { stage, status } }: RemovalFacts['feature']): Step {
  const isDecided = stage === 'completed' || stage === 'archived';
  return {
    id: 'decided',
    state: isDecided ? 'done' : 'open',
    title: 'It is decided what became of it',
    evidence: isDecided
      ? `The change behind it was ${status ?? 'settled'}.`
      : 'Nobody has said yet whether the change is kept or discarded. Complete it.',
  };
}

/** Whether everybody gets the same answer: undefined where it depends on who asks. */
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
  const title = 'Everybody in production gets the same';
  if (production.length === 0) {
    return { id, state: 'unknown', title, evidence: 'The project uses no production environment.' };
  }
  return answers.size === 1 && answer !== undefined
    ? { id, state: 'done', title, evidence: `It is ${answer} for everybody.` }
    : { id, state: 'open', title, evidence: 'Some get it and some do not, or there are variants.' };
}

function unasked({ feature: { environments }, applications, now, since }: RemovalFacts): Step {
  const seen = environments.flatMap(({ name, lastSeenAt }) =>
    lastSeenAt ? [{ name, lastSeenAt }] : [],
  );
  const [last] = seen.sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
  const id = 'unasked';
  const title = 'No application asks for it';
  if (!last) {
    return {
      id,
      state: 'done',
      title,
      evidence: 'No SDK that reports its usage ever asked for it.',
    };
  }
  const isQuiet = now.getTime() - Date.parse(last.lastSeenAt) >= quietDays * 86_400_000;
  const by = applications.length === 0 ? '' : ` by ${joinAnd(applications, 3)}`;
  return {
    id,
    state: isQuiet ? 'done' : 'open',
    title,
    evidence: isQuiet
      ? `The last request was ${since(last.lastSeenAt)}, in ${last.name}.`
      : `It was asked for ${since(last.lastSeenAt)} in ${last.name}${by}. Deploy code that no longer does.`,
  };
}

function code({ code: { scans, total } }: RemovalFacts): Step {
  const id = 'code';
  const title = 'The code does not name it';
  if (scans.length === 0) {
    return { id, state: 'unknown', title, evidence: 'No code was searched. A pipeline can do it.' };
  }
  const searched = plural(scans.length, 'repository was', 'repositories were');
  return total === 0
    ? { id, state: 'done', title, evidence: `${searched} searched, and none names it.` }
    : {
        id,
        state: 'open',
        title,
        evidence: `${plural(total, 'place names', 'places name')} it. Remove ${agree(total, 'it', 'them')}.`,
      };
}

const alone = ({ children }: RemovalFacts['feature']): Step => ({
  id: 'alone',
  state: children.length === 0 ? 'done' : 'open',
  title: 'No feature depends on it',
  evidence:
    children.length === 0
      ? 'No other feature names it as its parent.'
      : `${joinAnd(children, 3)} ${agree(children.length, 'depends', 'depend')} on it. Remove the dependency first.`,
});

/** What has to hold before a feature is removed, with what is known of it. */
export const readinessOf = (facts: RemovalFacts): Step[] => [
  decided(facts.feature),
  same(facts.feature),
  unasked(facts),
  code(facts),
  alone(facts.feature),
];

/** The list in one sentence. */
export function conclusionOf(steps: readonly Step[]): string {
  const count = (state: State) => steps.filter((step) => step.state === state).length;
  const [open, unknown] = [count('open'), count('unknown')];
  if (open > 0) return `${plural(open, 'thing stands', 'things stand')} in the way.`;
  return unknown > 0
    ? 'Nothing that is known stands in the way.'
    : 'Nothing stands in the way. It can be archived.';
}
