import classes from '../flags.module.css';
import { lineDiff } from '../line-diff.ts';

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

const signs = { same: ' ', added: '+', removed: '−' } as const;

/** Two values as JSON, line by line, with signs beside the colours. */
export const JsonDiff = ({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <pre className={classes.diff} tabIndex={0}>
    {lineDiff(textOf(before), textOf(after)).map(({ kind, text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
      <span key={index} data-kind={kind}>
        {signs[kind]} {text}
        {'\n'}
      </span>
    ))}
  </pre>
);
