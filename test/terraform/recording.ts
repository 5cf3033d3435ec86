import type { Exchange } from './recorder.ts';

/** What the provider asks for in one step of its work. */
interface Step {
  readonly step: string;
  readonly exchanges: readonly Exchange[];
}

export type Recording = readonly Step[];

/** What the provider reads of answers; all else may change without its noticing. */
const read = new Set([
  ...[
    'id',
    'name',
    'username',
    'email',
    'tokenName',
    'title',
    'description',
    'displayName',
    'type',
  ],
  ...[
    'mode',
    'enabled',
    'secret',
    'expiresAt',
    'environment',
    'environments',
    'project',
    'projects',
  ],
  ...['tokens', 'users', 'user', 'groups', 'mappingsSSO', 'roles', 'permissions', 'root'],
  ...[
    'serviceAccounts',
    'stickiness',
    'legalValues',
    'value',
    'featureNaming',
    'pattern',
    'example',
  ],
  ...['linkTemplates', 'urlTemplate', 'changeRequestEnabled', 'requiredApprovals'],
  ...['clientId', 'discoverUrl', 'autoCreate', 'defaultRootRoleId'],
]);

/** Things of the installation that the configuration looks up. */
const lookedUp = new Set([
  ...['Owner', 'Member', 'Viewer', 'UPDATE_PROJECT', 'UPDATE_FEATURE_ENVIRONMENT'],
  ...['development', 'production'],
]);

const isOurs = (entry: unknown): boolean =>
  /"tf[ -]/.test(JSON.stringify(entry)) ||
  lookedUp.has(String((entry as { name?: unknown } | null)?.name));

/** Of lists what the configuration made or looks for. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const few = value.filter((entry) => typeof entry !== 'object' || isOurs(entry));
    return (few.length > 0 ? few : value.slice(0, 5)).map(pruned);
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    // Numbers are given anew each time.
    ([key, each]) => read.has(key) && !(key === 'id' && typeof each === 'number'),
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, pruned(each)]));
}

/** Numbers of new things stay in the answers that bring them: later requests name them. */
const numberIn = (answer: unknown): object => {
  const { id, roles } = (answer ?? {}) as { id?: unknown; roles?: { id?: unknown } };
  if (typeof id === 'number') return { id };
  return typeof roles?.id === 'number'
    ? { roles: { ...(pruned(roles) as object), id: roles.id } }
    : {};
};

const isRead = ({ request }: Exchange) => request.startsWith('GET ');

function exchangesOf(all: readonly Exchange[], seen: Set<string>): Exchange[] {
  return all.flatMap((exchange) => {
    const { answer, ...rest } = exchange;
    const isNew = rest.request.startsWith('POST ');
    const short = {
      ...rest,
      ...(answer !== undefined && {
        answer: isNew ? { ...(pruned(answer) as object), ...numberIn(answer) } : pruned(answer),
      }),
    };
    if (!isRead(exchange)) {
      seen.clear();
      return [short];
    }
    // Asked again before anything was changed: the answer is the same.
    const text = JSON.stringify(short);
    if (seen.has(text)) return [];
    seen.add(text);
    return [short];
  });
}

export function recordingOf(steps: readonly (readonly [string, readonly Exchange[]])[]): Recording {
  const seen = new Set<string>();
  return steps
    .map(([step, exchanges]) => ({ step, exchanges: exchangesOf(exchanges, seen) }))
    .filter(({ exchanges }) => exchanges.length > 0);
}

/** One line for each exchange, so that a change of one can be read. */
export function textOf(recording: Recording): string {
  const steps = recording.map(({ step, exchanges }) => {
    const lines = exchanges.map((exchange) => `      ${JSON.stringify(exchange)}`);
    return `  {\n    "step": ${JSON.stringify(step)},\n    "exchanges": [\n${lines.join(',\n')}\n    ]\n  }`;
  });
  return `[\n${steps.join(',\n')}\n]\n`;
}
