import { Group, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { moreText } from '../../ui/format.ts';
import classes from '../flags.module.css';
import { percentOf } from './differences.ts';

interface Weighted {
  readonly name: string;
  readonly weight: number;
}

const colors = [
  'teal-7',
  'yellow-6',
  'blue-6',
  'grape-6',
  'orange-7',
  'cyan-6',
  'pink-6',
  'lime-7',
];

export const variantColor = (index: number): string =>
  `var(--mantine-color-${colors[index % colors.length]})`;

/** The weights of variants as one bar, with their names below it. */
export function VariantBar({ variants }: { readonly variants: readonly Weighted[] }) {
  const shown = variants.length > 8 ? variants.slice(0, 7) : variants;
  const rest = variants.length - shown.length;
  return (
    <div>
      <div className={classes.weights} aria-hidden>
        {variants.map(({ name, weight }, index) => (
          <span
            key={name}
            style={{ '--weight': weight, '--variant-color': variantColor(index) } as CSSProperties}
          />
        ))}
      </div>
      <Group gap="sm" mt={4} component="ul" className={classes.legend}>
        {shown.map(({ name, weight }, index) => (
          <Text
            key={name}
            component="li"
            size="xs"
            className="tabular"
            style={{ '--variant-color': variantColor(index) } as CSSProperties}
          >
            {name || 'Unnamed'} {percentOf(weight)}
          </Text>
        ))}
        {rest > 0 && (
          <Text component="li" size="xs" className="quiet" data-plain>
            {moreText(rest)}
          </Text>
        )}
      </Group>
    </div>
  );
}
