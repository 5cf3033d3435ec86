import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { PageLink } from '../ui/link.tsx';
import { type EventForSentence, type SentencePiece, sentenceOf } from './sentence.ts';

function Piece({ piece }: { readonly piece: SentencePiece }) {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'name') return <b>{piece.text}</b>;
  return (
    <PageLink to={piece.to as '/'} fw={600} inherit>
      {piece.text}
    </PageLink>
  );
}

/** What happened, with links to what it happened to. */
export const EventSentence = ({ event }: { readonly event: EventForSentence }) => (
  <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
    {sentenceOf(event).map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never move
      <Fragment key={index}>
        <Piece piece={piece} />
      </Fragment>
    ))}
  </Text>
);
