import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

/** An empty list teaches the next step. */
export const EmptyState = ({ title, children }: Props) => (
  <Stack className="card" align="center" p="xl" gap="xs">
    <Title order={2} size="h4">
      {title}
    </Title>
    <Text component="div" className="quiet" ta="center">
      {children}
    </Text>
  </Stack>
);
