import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The teal of the pennant; 7 is #0f766e, which has a contrast of 5.5 on white. */
const teal: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** Of these too, 7 has a contrast of at least 4.5 on white, on its own light shade, and under white. */
const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#ef4444',
  '#dc2626',
  '#b91c1c',
  '#991b1b',
  '#7f1d1d',
];

const yellow: MantineColorsTuple = [
  '#fffbeb',
  '#fef3c7',
  '#fde68a',
  '#fcd34d',
  '#fbbf24',
  '#f59e0b',
  '#d97706',
  '#9a4a06',
  '#78350f',
  '#451a03',
];

const green: MantineColorsTuple = [
  '#f0fdf4',
  '#dcfce7',
  '#bbf7d0',
  '#86efac',
  '#4ade80',
  '#22c55e',
  '#16a34a',
  '#166534',
  '#14532d',
  '#052e16',
];

const blue: MantineColorsTuple = [
  '#eff6ff',
  '#dbeafe',
  '#bfdbfe',
  '#93c5fd',
  '#60a5fa',
  '#3b82f6',
  '#2563eb',
  '#1d4ed8',
  '#1e40af',
  '#1e3a8a',
];

const orange: MantineColorsTuple = [
  '#fff7ed',
  '#ffedd5',
  '#fed7aa',
  '#fdba74',
  '#fb923c',
  '#f97316',
  '#ea580c',
  '#b03a0a',
  '#9a3412',
  '#7c2d12',
];

/** Night over the sea, from text to the deepest ground: fields and cards of the dark page have one hue. */
const dark: MantineColorsTuple = [
  '#e6edf7',
  '#c5d0e2',
  '#9fb0c9',
  '#7f90ab',
  '#34435f',
  '#23304a',
  '#172238',
  '#111a2c',
  '#0b1220',
  '#070c16',
];

/** Of two colors such as `#9a4a06`, with this share of the first. */
function mixed(one: string, other: string, share: number): string {
  const channels = (color: string) =>
    [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  const second = channels(other);
  return `#${channels(one)
    .map((value, index) => Math.round(value * share + (second[index] ?? 0) * (1 - share)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

const darkCard = dark[7];

/**
 * Mantine's light variants are almost black in the dark scheme. Here badges and alerts are a darker shade on the card.
 */
const darkLights = Object.entries({ teal, red, yellow, green, blue, orange }).flatMap(
  ([name, shades]) => [
    [`--mantine-color-${name}-light`, mixed(shades[8], darkCard, 0.65)],
    [`--mantine-color-${name}-light-hover`, mixed(shades[8], darkCard, 0.8)],
    [`--mantine-color-${name}-light-color`, shades[1]],
  ],
);

/** What the colors of the theme become in the dark scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {},
  dark: {
    ...Object.fromEntries(darkLights),
    '--mantine-color-gray-light': dark[4],
    '--mantine-color-gray-light-hover': mixed(dark[3], dark[4], 0.3),
    '--mantine-color-gray-light-color': dark[1],
    // In charts, its brown is hard to see on navy. White text stays on the brown.
    '--mantine-color-yellow-7': yellow[5],
    '--mantine-color-yellow-filled': yellow[7],
  },
});

/** Their header would be read as a second banner of the page. */
const dialog = {
  defaultProps: {
    closeButtonProps: { 'aria-label': 'Close' },
    attributes: { header: { role: 'none' } },
  },
};

/** The list itself scrolls (page.css): an area inside it would be one that the keyboard cannot reach. */
const options = { defaultProps: { withScrollArea: false } };

export const theme = createTheme({
  colors: { teal, red, yellow, green, blue, orange, dark },
  primaryColor: 'teal',
  primaryShade: 7,
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: dialog,
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: dialog,
    // Kept in the document, the options of every select would be rendered and placed with each page.
    Combobox: { defaultProps: { keepMounted: false } },
    Select: options,
    MultiSelect: options,
    Autocomplete: options,
    TagsInput: options,
    // A focusable element among the items, which is none of them.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Room for a scroll bar only where there is one.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { offsetScrollbars: 'present' } },
    },
    Tooltip: { defaultProps: { withArrow: true } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});
