import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Span } from '../../../src/modules/events/sentence.ts';
import { PageLink } from '../ui/link.tsx';
import { type EventForSentence, pagePath, sentenceOf } from './sentence.ts';

function Piece({ span }: { readonly span: Span }) {
  const path = pagePath(span);
  if (path === undefined) return span.bold ? <b>{span.text}</b> : span.text;
  return (
    <PageLink to={path as '/'} fw={600} inherit>
      {span.text}
    </PageLink>
  );
}

/** What happened, with links to what it happened to. */
export const EventSentence = ({ event }: { readonly event: EventForSentence }) => (
  <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
    {sentenceOf(event).map((span, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      <Fragment key={index}>
        <Piece span={span} />
      </Fragment>
    ))}
  </Text>
);
