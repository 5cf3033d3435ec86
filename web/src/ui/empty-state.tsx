import { Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** What is missing: "No segments yet". */
  readonly title: string;
  /** One sentence: what belongs here. */
  readonly children?: ReactNode;
  /** The button that gets the first one. */
  readonly action?: ReactNode;
}

/** An empty list teaches the next step. */
export const EmptyState = ({ title, children, action }: Props) => (
  <Stack className="card" align="center" p={{ base: 'md', sm: 'xl' }} gap="xs">
    <Title order={2} size="h4" ta="center">
      {title}
    </Title>
    {children && (
      <Text component="div" className="quiet" ta="center" maw="100%">
        {children}
      </Text>
    )}
    {action}
  </Stack>
);

interface NoMatchProps {
  /** The things that are searched, in the plural: "segments". */
  readonly what: string;
  /** The text that was searched for; without one, filters hide everything. */
  readonly query?: string;
  readonly onClear: () => void;
  /** What else can be done, such as creating what was searched for. */
  readonly children?: ReactNode;
}

/** A search or filters without results, with the way back. */
export const NoMatch = ({ what, query = '', onClear, children }: NoMatchProps) => (
  <EmptyState
    title={query === '' ? `No matching ${what}` : `No ${what} match “${query}”`}
    action={
      <Button variant="default" size="xs" mt="xs" onClick={onClear}>
        {query === '' ? 'Clear filters' : 'Clear search'}
      </Button>
    }
  >
    {children}
  </EmptyState>
);
