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

/** A plan for people. */
export function planText(plan: Plan, show: (line: string) => string = (line) => line): string {
  const { source, items, unchanged } = plan;
  const product = isFromBurgee(source)
    ? `Burgee ${source.version}`
    : `Unleash ${source.version}, ${source.edition}`;
  const lines = [`Import from ${source.url} (${product})`, ''];
  for (const [kind, own] of grouped(items, (item) => item.kind)) {
    const created = own.filter(({ before }) => before === undefined).length;
    const changed = own.length - created;
    lines.push(
      `${wordOf(kind)}: ${created} to create${changed > 0 ? `, ${changed} to change` : ''}`,
    );
  }
  lines.push(
    `${counted(unchanged, 'object')} ${unchanged === 1 ? 'is' : 'are'} in Burgee already, and the same.`,
    '',
  );
  lines.push(...findingLines(plan.findings));
  // Names may have line breaks.
  return `${lines.map(show).join('\n')}\n`;
}
