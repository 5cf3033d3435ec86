import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { PageLink } from '../ui/link.tsx';

/** What the summaries of events are made of: bold, links to pages of this installation, and escaped signs. */
const token = /\*\*((?:\\.|[^*\\])+)\*\*|\[((?:\\.|[^\]\\])+)\]\(([^)]+)\)/g;

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** The sentence of an event. Its Markdown is read here, and never becomes HTML. */
export function EventSentence({ summary }: { readonly summary: string }) {
  const parts: ReactNode[] = [];
  let last = 0;
  for (const found of summary.matchAll(token)) {
    const [whole, bold, label, address] = found;
    parts.push(unescaped(summary.slice(last, found.index)));
    last = found.index + whole.length;
    if (bold !== undefined) parts.push(<b>{unescaped(bold.replace(/^\[|\]\([^)]*\)$/g, ''))}</b>);
    else if (address?.startsWith('/')) {
      parts.push(
        <PageLink to={address as '/'} fw={600} inherit>
          {unescaped(label ?? '').replace(/\*\*/g, '')}
        </PageLink>,
      );
    } else parts.push(unescaped(label ?? ''));
  }
  parts.push(unescaped(summary.slice(last)));
  return (
    <Text component="span" inherit style={{ overflowWrap: 'anywhere' }}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
        <Fragment key={index}>{part}</Fragment>
      ))}
    </Text>
  );
}
