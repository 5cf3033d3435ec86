import { counted } from '../../platform/counted.ts';
import { grouped } from '../../platform/grouped.ts';
import { isFromBurgee } from './document.ts';
import { wordOf } from './import-event.ts';
import type { Finding, Item, Plan } from './plan.ts';

/** A plan for programs. Contains no secrets. */
export const planJson = (plan: Plan) => ({
  source: plan.source,
  unchanged: plan.unchanged,
  made: plan.items.filter(({ before }) => before === undefined).map(named),
  changed: plan.items.filter(({ before }) => before !== undefined).map(named),
  leftOut: plan.leftOut,
  findings: plan.findings,
});

const named = ({ kind, name }: Item) => ({ kind, name });

const severities = ['error', 'warning', 'info'] as const;

export function findingLines(findings: readonly Finding[]): string[] {
  return severities.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .flatMap(({ code, what, todo }) => [`${severity} ${code}: ${what}`, `  ${todo}`]),
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
    const made = own.filter(({ before }) => before === undefined).length;
    const changed = own.length - made;
    lines.push(`${wordOf(kind)}: ${made} to make${changed > 0 ? `, ${changed} to change` : ''}`);
  }
  lines.push(
    `${counted(unchanged, 'thing')} ${unchanged === 1 ? 'is' : 'are'} here already, and the same.`,
    '',
  );
  lines.push(...findingLines(plan.findings));
  // Names may have line breaks.
  return `${lines.map(show).join('\n')}\n`;
}
