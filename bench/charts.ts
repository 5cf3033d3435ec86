import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A bar: a measured figure, or one that others publish. */
interface Bar {
  readonly label: string;
  readonly value: number;
  readonly ours?: true;
}

interface Chart {
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const width = 720;
const labelWidth = 290;
const valueWidth = 110;
const rowHeight = 30;
const head = 48;

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string);

const numberText = (value: number): string => value.toLocaleString('en-US');

/** Draws horizontal bars. The colors are readable in light and in dark pages, because the background is part of it. */
function svgOf({ title, unit, bars }: Chart): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = head + bars.length * rowHeight + 12;
  const rows = bars.map(({ label, value, ours }, nth) => {
    const top = head + nth * rowHeight;
    const length = Math.max(2, ((width - labelWidth - valueWidth) * value) / most);
    return [
      `<text x="${labelWidth - 10}" y="${top + 16}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${labelWidth}" y="${top + 2}" width="${length.toFixed(1)}" height="20" rx="3" fill="${ours ? '#0f766e' : '#94a3b8'}"/>`,
      `<text x="${(labelWidth + length + 8).toFixed(1)}" y="${top + 16}">${numberText(value)} ${escaped(unit)}</text>`,
    ].join('\n');
  });
  const described = bars.map(({ label, value }) => `${label}: ${numberText(value)} ${unit}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1e293b">
<title>${escaped(title)}</title>
<desc>${escaped(described.join('; '))}</desc>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>
<text x="16" y="28" font-size="15" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`;
}

/** Draws the charts of docs/benchmarks.md from the figures in recorded.json. */
const { charts } = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as {
  charts: readonly Chart[];
};
for (const chart of charts) {
  const file = fileURLToPath(new URL(`../docs/images/${chart.file}`, import.meta.url));
  writeFileSync(file, svgOf(chart));
  process.stdout.write(`${chart.file}\n`);
}
