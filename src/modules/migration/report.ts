import { alignedLines } from '../../platform/aligned.ts';
import { counted } from '../../platform/counted.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Kind } from './document.ts';
import { isFromBurgee } from './document.ts';
import type { Item } from './kinds/kind.ts';
import { wordOf } from './kinds/table.ts';
import { type Finding, groupFindings, type Plan } from './plan.ts';

/** A plan for programs. Contains no secrets. */
export const planJson = (plan: Plan) => ({
  source: plan.source,
  unchanged: plan.unchanged,
  created: plan.items.filter(({ before }) => before === undefined).map(named),
  changed: plan.items.filter(({ before }) => before !== undefined).map(named),
  skipped: plan.skipped,
  findings: plan.findings,
});

const named = ({ kind, name }: Item) => ({ kind, name });

const severities = ['error', 'warning', 'info'] as const;

/** So many names are printed. The report has all. */
const maxNames = 8;

function namesLine(kind: Kind, names: readonly string[]): string {
  const more = names.length - maxNames;
  const first = names.slice(0, maxNames).map((name) => `'${name}'`);
  const word = wordOf(kind);
  return `  ${names.length} ${names.length === 1 ? word : `${word}s`}: ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Grouped and counted, so that many of one kind do not hide the others. */
export function findingLines(findings: readonly Finding[]): string[] {
  const all = groupFindings(findings);
  return severities.flatMap((severity) =>
    all
      .filter((finding) => finding.severity === severity)
      .flatMap(({ code, what, todo, kind, names }) => [
        `${severity} ${code}: ${what}`,
        ...(kind && names ? [namesLine(kind, names)] : []),
        `  ${todo}`,
      ]),
  );
}

/** A table of what is created, updated and skipped of each kind. `refused` is what a run could not import. */
export function kindLines(
  { items, skipped }: Pick<Plan, 'items' | 'skipped'>,
  verbs: readonly [create: string, update: string, skip: string],
  refused: readonly Finding[] = [],
): string[] {
  const keyOf = (kind: Kind, name: string) => `${kind} ${name}`;
  const lost = new Set(
    refused.flatMap(({ kind, names = [] }) => (kind ? names.map((name) => keyOf(kind, name)) : [])),
  );
  const byKind = grouped([...items, ...skipped], ({ kind }) => kind);
  if (byKind.size === 0) return [];
  const rows = [...byKind].map(([kind, own]) => {
    const done = items.filter((item) => item.kind === kind && !lost.has(keyOf(kind, item.name)));
    const created = done.filter(({ before }) => before === undefined).length;
    return [wordOf(kind), created, done.length - created, own.length - done.length].map(String);
  });
  return alignedLines([['kind', ...verbs], ...rows]);
}

/** A plan for people. */
export function planText(plan: Plan, show: (line: string) => string = (line) => line): string {
  const { source } = plan;
  const product = isFromBurgee(source)
    ? `Burgee ${source.version}`
    : `Unleash ${source.version}, ${source.edition}`;
  const lines = [
    `Import from ${source.url} (${product})`,
    '',
    ...kindLines(plan, ['create', 'update', 'skip']),
    `${counted(plan.unchanged, 'resource')} unchanged`,
    '',
    ...findingLines(plan.findings),
  ];
  // Names may have line breaks.
  return `${lines.map(show).join('\n')}\n`;
}
