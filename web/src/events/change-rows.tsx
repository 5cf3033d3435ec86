import { Text } from '@mantine/core';
import { type Change, keyInWords, valueInWords } from '../ui/json-changes.ts';
import classes from './events.module.css';

function ChangeRow({ path, before, after }: Change) {
  return (
    <div className={classes.change}>
      <Text size="sm" className="quiet">
        {path.map(keyInWords).join(' › ') || 'value'}
      </Text>
      <div>
        {before !== undefined && <span className={classes.was}>{valueInWords(before)}</span>}
        {before !== undefined && after !== undefined && ' → '}
        {after !== undefined && <span className={classes.is}>{valueInWords(after)}</span>}
      </div>
    </div>
  );
}

/** What changed, a line for each value: before and after in words. */
export const ChangeRows = ({ changes }: { readonly changes: readonly Change[] }) => (
  <div>
    {changes.map((change) => (
      <ChangeRow key={change.path.join('/')} {...change} />
    ))}
  </div>
);
