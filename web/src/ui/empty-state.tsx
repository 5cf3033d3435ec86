import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

/** An empty list teaches the next step. */
export const EmptyState = ({ title, children }: Props) => (
  <Stack className="card" align="center" p={{ base: 'md', sm: 'xl' }} gap="xs">
    <Title order={2} size="h4" ta="center">
      {title}
    </Title>
    <Text component="div" className="quiet" ta="center" maw="100%">
      {children}
    </Text>
  </Stack>
);
