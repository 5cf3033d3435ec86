import { createHash } from 'node:crypto';

const side = 48;

/** Colours that match on light and dark pages. */
const fields = [
  '#1d4e89',
  '#00798c',
  '#3a7d44',
  '#7a5195',
  '#b5446e',
  '#a4461f',
  '#4a5859',
  '#2f4858',
];
const devices = ['#dfe7ec', '#f4d35e', '#f7b267', '#9ad1d4', '#f2b5d4', '#d0e37f'];

type Draw = (color: string, other: string) => string;

const shape = (name: string, attributes: Readonly<Record<string, string | number>>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${value}"`)
    .join(' ')}/>`;

/** Patterns of sailing clubs' pennants: a cross, bars, a disc, a chevron, a saltire. */
const patterns: readonly Draw[] = [
  (color) =>
    shape('rect', { x: 0, y: 20, width: 48, height: 8, fill: color }) +
    shape('rect', { x: 12, y: 0, width: 8, height: 48, fill: color }),
  (color, other) =>
    shape('rect', { x: 0, y: 0, width: 48, height: 16, fill: color }) +
    shape('rect', { x: 0, y: 32, width: 48, height: 16, fill: other }),
  (color) => shape('circle', { cx: 18, cy: 24, r: 8, fill: color }),
  (color, other) =>
    shape('path', { d: 'M0 0 26 24 0 48Z', fill: color }) +
    shape('path', { d: 'M0 12 13 24 0 36Z', fill: other }),
  (color) =>
    shape('path', { d: 'M0 4 44 44M0 44 44 4', stroke: color, 'stroke-width': 7, fill: 'none' }),
  (color, other) =>
    shape('rect', { x: 0, y: 0, width: 12, height: 48, fill: color }) +
    shape('rect', { x: 24, y: 0, width: 12, height: 48, fill: other }),
  (color) => shape('path', { d: 'M18 12 26 24 18 36 10 24Z', fill: color }),
  (color, other) =>
    shape('circle', { cx: 18, cy: 24, r: 11, fill: color }) +
    shape('circle', { cx: 18, cy: 24, r: 5, fill: other }),
];

/** Triangles, one of them with two tails. */
const outlines = ['M6 6 46 24 6 42Z', 'M6 6 46 10 34 24 46 38 6 42Z', 'M6 7 44 14V34L6 41Z'];

/**
 * Draws the pennant of an account or a token. It depends on the id alone and is the same on every instance for ever. It
 * reveals neither whose id it is nor whether it exists.
 */
export function drawAvatar(id: number): string {
  const bytes = createHash('sha256').update(`burgee avatar ${id}`).digest();
  const pick = <Item>(items: readonly Item[], byte: number): Item =>
    items[(bytes[byte] ?? 0) % items.length] as Item;
  const field = pick(fields, 0);
  const color = pick(devices, 1);
  const other = pick(
    devices.filter((each) => each !== color),
    2,
  );
  const outline = pick(outlines, 3);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}" role="img">` +
    `<clipPath id="a">${shape('path', { d: outline })}</clipPath>` +
    shape('rect', { x: 3, y: 3, width: 2, height: 42, rx: 1, fill: '#8a8f98' }) +
    `<g clip-path="url(#a)">${shape('rect', { width: side, height: side, fill: field })}${pick(patterns, 4)(color, other)}</g>` +
    '</svg>'
  );
}

/** The id in the path: positive for an account, negative for a token. Undefined for anything else. */
export function avatarId(text: string): number | undefined {
  const id = /^-?[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(id) <= 2 ** 31 ? id : undefined;
}
