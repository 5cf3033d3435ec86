import { Anchor, Code, List, Text } from '@mantine/core';
import { Fragment } from 'react';

const pieces = /\[([^\]]*)\]\((https?:\/\/[^()\s]+)\)|\*\*([^*]+)\*\*|`([^`]+)`/g;

/** One line of the Markdown that providers write: links, bold words and code. */
export function Marked({ text }: { readonly text: string }) {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [whole, label, target, bold, code] = match;
    parts.push(text.slice(end, match.index));
    if (target !== undefined) {
      parts.push(
        <Anchor href={target} target="_blank" rel="noreferrer" inherit underline="always">
          {label}
        </Anchor>,
      );
    } else if (bold !== undefined) parts.push(<b>{bold}</b>);
    else parts.push(<Code style={{ overflowWrap: 'anywhere' }}>{code}</Code>);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    <Fragment key={index}>{part}</Fragment>
  ));
}

/** Paragraphs and numbered lists. */
export const MarkedBlocks = ({ text }: { readonly text: string }) =>
  text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n');
    return /^\d+\. /.test(block) ? (
      <List key={block} type="ordered" size="sm" spacing={4} pr="lg">
        {lines.map((line) => (
          <List.Item key={line}>
            <Marked text={line.replace(/^\d+\. /, '')} />
          </List.Item>
        ))}
      </List>
    ) : (
      <Text key={block} size="sm">
        <Marked text={block} />
      </Text>
    );
  });
