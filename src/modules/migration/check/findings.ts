import { counted } from '../../../platform/counted.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Kind } from '../document.ts';
import { wordOf } from '../kinds/table.ts';
import type { Finding } from '../plan.ts';
import type { CheckedInstallation, Refusal } from './check.ts';

/** So many of a group are named. The plan as JSON names all. */
const maxNamed = 10;

const listed = (items: readonly string[]): string =>
  [
    ...items.slice(0, maxNamed),
    ...(items.length > maxNamed ? [`and ${items.length - maxNamed} more`] : []),
  ].join(', ');

const groupOf = ({ kind, part, why }: Refusal): string =>
  JSON.stringify([kind, part, why.replace(/; it is .*/, '')]);

/** One finding for all things of a kind with the same fault. */
function refusalFinding(refusals: readonly [Refusal, ...Refusal[]]): Finding {
  const [{ kind, part, why }] = refusals;
  const names = listed(refusals.map(({ name }) => `'${name}'`));
  const things = counted(refusals.length, wordOf(kind));
  return part === undefined
    ? {
        code: 'INVALID',
        severity: 'error',
        what: `Skipped ${things} that the API doesn't accept (${names}): ${why}`,
        todo: 'Fix it in the source, then run the import again.',
      }
    : {
        code: 'INVALID_PART',
        severity: 'warning',
        what: `Skipped a ${part} of ${things}, because the API doesn't accept it (${names}): ${why}`,
        todo: 'Fix it in the source and run the import again, or add it in Burgee.',
      };
}

/** What the check of a document says to the operator. */
export function checkFindings({ refusals, beyondApi }: CheckedInstallation): Finding[] {
  const things = [...grouped(beyondApi, ({ kind }) => kind)] as [Kind, { name: string }[]][];
  return [
    ...[...grouped(refusals, groupOf).values()].map((group) =>
      refusalFinding(group as [Refusal, ...Refusal[]]),
    ),
    ...things.map(
      ([kind, own]): Finding => ({
        code: 'BEYOND_API',
        severity: 'info',
        what: `Imported as they are: values of ${counted(own.length, wordOf(kind))} that the API wouldn't accept in a request (${listed(own.map(({ name }) => `'${name}'`))}).`,
        todo: 'Nothing. The next change to such a value must be valid for the API.',
      }),
    ),
  ];
}
