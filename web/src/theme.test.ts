import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { expect, test } from 'vitest';
import { cssVariablesResolver, theme } from './theme.ts';

const card = '#111a2c';

const luminance = (color: string): number =>
  [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

const dark = cssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme)).dark;
const darkColor = (name: string): string => dark[`--mantine-color-${name}`] ?? '';

test.each(['teal', 'red', 'yellow', 'green', 'blue', 'orange', 'gray'])(
  'badges and alerts in %s stand out from a dark card and are legible',
  (name) => {
    expect(contrast(darkColor(`${name}-light`), card)).toBeGreaterThan(1.3);
    expect(contrast(darkColor(`${name}-light-color`), darkColor(`${name}-light`))).toBeGreaterThan(
      4.5,
    );
  },
);

test('yellow lines and labels of charts are legible on a dark card', () => {
  expect(contrast(darkColor('yellow-7'), card)).toBeGreaterThan(4.5);
  expect(contrast('#ffffff', darkColor('yellow-filled'))).toBeGreaterThan(4.5);
});
