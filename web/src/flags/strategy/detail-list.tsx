import { Text } from '@mantine/core';
import classes from '../flags.module.css';
import type { Detail } from './differences.ts';

const signs = { added: '+', removed: '−', changed: '~' } as const;

/** Changes one below the other, with a sign before each. */
export const DetailList = ({ details }: { readonly details: readonly Detail[] }) => (
  <ul className={classes.detailList}>
    {details.map(({ kind, words }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two strategies may differ in the same way
      <Text component="li" size="sm" key={index} data-kind={kind} dir="auto">
        <span className={classes.sign} aria-hidden>
          {signs[kind]}
        </span>
        {words}
      </Text>
    ))}
  </ul>
);
