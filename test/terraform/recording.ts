import type { Exchange } from './recorder.ts';

/** The requests of the provider in one step. */
interface Step {
  readonly step: string;
  readonly exchanges: readonly Exchange[];
}

export type Recording = readonly Step[];

/** The response properties that the provider reads. All others may change. */
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

/** Existing things that the configuration looks up. */
const lookedUp = new Set([
  ...['Owner', 'Member', 'Viewer', 'UPDATE_PROJECT', 'UPDATE_FEATURE_ENVIRONMENT'],
  ...['development', 'production'],
]);

const isOurs = (entry: unknown): boolean =>
  /"tf[ -]/.test(JSON.stringify(entry)) ||
  lookedUp.has(String((entry as { name?: unknown } | null)?.name));

/** Keeps only those list items that the configuration created or looks for. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const few = value.filter((entry) => typeof entry !== 'object' || isOurs(entry));
    return (few.length > 0 ? few : value.slice(0, 5)).map(pruned);
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    // Every run assigns new ids.
    ([key, each]) => read.has(key) && !(key === 'id' && typeof each === 'number'),
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, pruned(each)]));
}

/** Keeps ids of new things in responses, because later requests use them. */
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
    // A repeated request without a change in between has the same response.
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

/** One line for each request, for readable diffs. */
export function textOf(recording: Recording): string {
  const steps = recording.map(({ step, exchanges }) => {
    const lines = exchanges.map((exchange) => `      ${JSON.stringify(exchange)}`);
    return `  {\n    "step": ${JSON.stringify(step)},\n    "exchanges": [\n${lines.join(',\n')}\n    ]\n  }`;
  });
  return `[\n${steps.join(',\n')}\n]\n`;
}
