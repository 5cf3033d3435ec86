import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { PageLink } from '../ui/link.tsx';
import { useDirectory } from '../use-directory.ts';
import { type EventForSentence, pagePath, type SentenceSpan, sentenceOf } from './sentence.ts';

function Piece({ span }: { readonly span: SentenceSpan }) {
  const path = pagePath(span);
  if (path === undefined) return span.bold ? <b title={span.note}>{span.text}</b> : span.text;
  return (
    <PageLink to={path as '/'} fw={600} inherit title={span.note}>
      {span.text}
    </PageLink>
  );
}

/** What happened, with links to what it happened to. */
export function EventSentence({ event }: { readonly event: EventForSentence }) {
  const directory = useDirectory();
  return (
    <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
      {sentenceOf(event, directory).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a recorded sentence never change
        <Fragment key={index}>
          <Piece span={span} />
        </Fragment>
      ))}
    </Text>
  );
}
