import type { Result } from './experiment.ts';
import type { Figure } from './figure.ts';

const milliseconds = (value: number | undefined) => {
  if (value === undefined) return '';
  return value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toPrecision(3)} ms`;
};

const rate = (value: number | undefined) => (value === undefined ? '' : `${Math.round(value)}/s`);

/** Requests per second if measured, otherwise one time. */
const inShort = (figure: Figure | undefined) => {
  if (!figure) return '';
  return figure.perSecond === undefined
    ? milliseconds(figure.p50Ms ?? figure.maxMs)
    : rate(figure.perSecond);
};

/** Returns how many times more ours does in the same time: 2 is twice as fast. */
function advantage(ours: Figure, other: Figure | undefined): string {
  if (!other) return '';
  const ratio =
    ours.perSecond !== undefined && other.perSecond !== undefined
      ? ours.perSecond / other.perSecond
      : (other.p50Ms ?? Number.NaN) / (ours.p50Ms ?? Number.NaN);
  return Number.isNaN(ratio) ? '' : `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

const verdict = ({ met }: Result) => (met === undefined ? '' : met ? 'met' : 'MISSED');

const cellsOf = (result: Result): string[] => {
  const { name, reader, target = '', ours, raw, reference } = result;
  const single = ours.p50Ms === undefined ? ours.maxMs : ours.p50Ms;
  return [
    reader ? `${name} (${reader})` : name,
    ours.megabytes === undefined ? milliseconds(single) : `${ours.megabytes.toFixed(0)} MB`,
    milliseconds(ours.p95Ms),
    rate(ours.perSecond),
    target,
    verdict(result),
    inShort(raw),
    advantage(ours, raw),
    inShort(reference),
    advantage(ours, reference),
    ours.note ?? '',
  ];
};

const titles = [
  'request',
  'p50',
  'p95',
  'requests/s',
  'target',
  '',
  'raw limit',
  'ours/raw',
  'reference',
  'ours/reference',
  'note',
];

/** Renders a Markdown table that can be copied into a README. */
export function tableOf(results: readonly Result[]): string {
  const rows = [titles, ...results.map(cellsOf)];
  const used = titles.map((_, column) => rows.slice(1).some((row) => row[column] !== ''));
  const kept = rows.map((row) => row.filter((_, column) => used[column]));
  const widths = (kept[0] ?? []).map((_, column) =>
    Math.max(3, ...kept.map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = kept;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
