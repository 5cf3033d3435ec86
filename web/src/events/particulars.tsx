import { Text } from '@mantine/core';
import { withNames } from '../directory.ts';
import { moreText } from '../ui/format.ts';
import { changeInWords, changesBetween } from '../ui/json-changes.ts';
import { useDirectory } from '../use-directory.ts';
import classes from './events.module.css';
import { type LogEvent, sentenceText } from './sentence.ts';

const shownChanges = 2;

/** Comment and reverts are shown elsewhere, and the sentence says that the password was changed. */
const toldKeys: readonly string[] = ['comment', 'reverts', 'passwordChangedAt'];

/** The comment and the first changes, in a second line. */
export function Particulars({ event }: { readonly event: LogEvent }) {
  const directory = useDirectory();
  const { data, preData } = event;
  const comment = typeof data?.comment === 'string' ? data.comment : undefined;
  // Sentences of many events already name the changes.
  const isTold = sentenceText(event, directory).includes(' → ') || data?.review !== undefined;
  const changes =
    data && preData && !isTold
      ? changesBetween(withNames(preData, directory), withNames(data, directory)).filter(
          ({ path: [key = ''] }) => !toldKeys.includes(key),
        )
      : [];
  const rest = changes.length - shownChanges;
  if (changes.length === 0 && comment === undefined) return null;
  return (
    <Text component="div" size="xs" className={`quiet ${classes.particulars}`}>
      {comment !== undefined && <div>“{comment}”</div>}
      {changes.slice(0, shownChanges).map(changeInWords).join(' · ')}
      {rest > 0 && ` · ${moreText(rest)}`}
    </Text>
  );
}
